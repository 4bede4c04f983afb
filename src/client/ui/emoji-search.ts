import type { Emoji } from '#client/state/model.ts'
import { emojiText } from '#shared/emoji-text.ts'
import { rank } from './fuzzy.ts'

/** An emoji with all names by which it can be found; the first is the one that is sent. */
export interface NamedEmoji extends Emoji {
  readonly names: readonly string[]
}

/** The content of `server_emoji_data_url`: names by code. */
export interface EmojiData {
  readonly code_to_names: Readonly<Record<string, readonly string[]>>
}

/** The Unicode emoji of the server's data file, in the order of pickers. */
export function unicodeEmoji({ code_to_names }: EmojiData): readonly NamedEmoji[] {
  return Object.entries(code_to_names).flatMap(([code, names]): NamedEmoji[] => {
    const [name] = names
    if (name === undefined) return []
    return [{ name, names, code, type: 'unicode_emoji', text: emojiText(code) }]
  })
}

/** The codes of those that people use most anywhere. */
export const popularCodes: readonly string[] =
  '1f44d 1f389 1f642 2764 1f6e0 1f419 1f680 1f440 1f64f'.split(' ')

export interface EmojiSearchOptions {
  /** How often the user used an emoji. */
  readonly uses?: (emoji: NamedEmoji) => number
  readonly limit?: number
}

/**
 * Emoji with a matching name, the best first. Among equally good ones, those that the user uses come
 * first, then custom ones, popular ones, and those of which the most is typed: `fir` is fire, not a
 * firefighter. Spaces stand for the `_` of names.
 */
export function searchEmoji(
  all: Iterable<NamedEmoji>,
  query: string,
  { uses = () => 0, limit = 50 }: EmojiSearchOptions = {},
): NamedEmoji[] {
  const wanted = query.trim().replaceAll(':', '').replaceAll('_', ' ')
  const length = (emoji: NamedEmoji) => matchedName(emoji, query).length
  return rank(all, wanted, {
    names: ({ names }) => names.map(spaced),
    order: (a, b) =>
      uses(b) - uses(a) ||
      Number(isCustom(b)) - Number(isCustom(a)) ||
      Number(isPopular(b)) - Number(isPopular(a)) ||
      length(a) - length(b),
    limit,
    worst: 3,
  })
}

/** The name of an emoji that matches the query best; the first one if none does. */
export function matchedName({ name, names }: NamedEmoji, query: string): string {
  const wanted = query.trim().replaceAll(':', '').replaceAll(' ', '_').toLowerCase()
  if (wanted === '' || name.startsWith(wanted)) return name
  return (
    names.find((each) => each.startsWith(wanted)) ??
    (name.includes(wanted) ? name : names.find((each) => each.includes(wanted))) ??
    name
  )
}

/** The most used emoji, the most frequent first. */
export function frequentEmoji(
  all: Iterable<NamedEmoji>,
  uses: (emoji: NamedEmoji) => number,
  limit: number,
): NamedEmoji[] {
  return [...all]
    .filter((emoji) => uses(emoji) > 0)
    .sort((a, b) => uses(b) - uses(a))
    .slice(0, limit)
}

const spacedNames = new Map<string, string>()

function spaced(name: string): string {
  let text = spacedNames.get(name)
  if (text === undefined) {
    text = name.replaceAll('_', ' ')
    spacedNames.set(name, text)
  }
  return text
}

function isCustom({ type }: Emoji): boolean {
  return type === 'realm_emoji'
}

function isPopular({ code }: Emoji): boolean {
  return popularCodes.includes(code)
}
