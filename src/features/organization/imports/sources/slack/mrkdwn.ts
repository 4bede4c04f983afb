import {
  escaped,
  fenced,
  inlineCode,
  isEmpty,
  linkTo,
  type Pieces,
  setApart,
} from '#features/organization/imports/reading/content.ts'
import { emojiCharacters } from '#features/organization/imports/reading/emoji-names.ts'
import type { Reference } from '#features/organization/imports/stream.ts'
import type { People } from './people.ts'

/** Placeholders for marks until everything else is escaped; no text contains these characters. */
const signs = {
  mark: '\u0000',
  bold: '\u0001',
  italic: '\u0002',
  strike: '\u0003',
  quote: '\u0004',
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what stands for marks
const control = /[\u0000-\u0008]/g

/** A label may have line breaks in it. */
const tokens =
  /```([\s\S]*?)```|`([^`\n]+)`|<([^<>\n]+|(?:https?|mailto|tel):[^<>|\s]+\|[^<>]+)>|:([a-z0-9_+'-]+(?:::skin-tone-\d)?):/g

/**
 * Converts Slack's markup to Markdown.
 *
 * @source Slack, "Formatting text for app surfaces"
 */
export function mrkdwn(source: string, people: People): Pieces {
  const code = { inline: inlineCode, block: (text: string) => fenced(text.replace(/^\n/, '')) }
  return setApart(
    converted(
      source,
      (token) => piecesOf(token, people, code),
      (text) => [finished(text)],
    ).flat(),
  )
}

/** Markup as a bold line, in which only links, mentions and code are kept. */
export function heading(source: string, people: People): Pieces {
  const code = { inline: inlineCode, block: inlineCode }
  const pieces = converted(
    oneLine(source),
    (token) => piecesOf(token, people, code),
    (text) => [escaped(bare(text))],
  ).flat()
  return isEmpty(pieces) ? [] : ['**', ...pieces, '**']
}

/** The words of markup, for a place that takes no Markdown. */
export function plainText(source: string, people: People): string {
  return converted(oneLine(source), (token) => wordsOf(token, people), bare).join('')
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** What stands in markup beside words: one of these is there. */
interface Token {
  readonly block?: string | undefined
  readonly code?: string | undefined
  readonly link?: string | undefined
  readonly emoji?: string | undefined
}

/**
 * Converts tokens by `found`, unless it has nothing for one, and the texts between them by `rest`,
 * which have signs in place of marks.
 */
function converted<T>(
  source: string,
  found: (token: Token) => T | undefined,
  rest: (text: string) => T,
): T[] {
  const kept: T[] = []
  const text = source
    .replace(control, '')
    .replace(tokens, (whole, block?: string, code?: string, link?: string, emoji?: string) => {
      const made = found({ block, code, link, emoji })
      return made === undefined ? whole : `${signs.mark}${kept.push(made) - 1}${signs.mark}`
    })
  return emphasized(text)
    .split(signs.mark)
    .map((piece, i) => (i % 2 === 0 ? rest(piece) : (kept[Number(piece)] ?? rest(''))))
}

type Code = Readonly<Record<'inline' | 'block', (text: string) => string>>

function piecesOf({ block, code, emoji, link }: Token, people: People, make: Code) {
  if (block !== undefined) return [make.block(codeText(block, people))]
  if (code !== undefined) return [make.inline(codeText(code, people))]
  if (link !== undefined) return reference(link, people)
  const characters = charactersOf(emoji, people)
  return characters === undefined ? undefined : [characters]
}

function wordsOf({ block, code, emoji, link }: Token, people: People): string | undefined {
  if (link !== undefined) return label(link, people) ?? decoded(link)
  const text = block ?? code
  return text === undefined ? charactersOf(emoji, people) : codeText(text, people)
}

const charactersOf = (emoji = '', people: People) =>
  people.hasEmoji(emoji) ? undefined : emojiCharacters(emoji)

/** The text of code, in which Slack has made links of addresses and names. */
function codeText(source: string, people: People): string {
  return source
    .split(/(<[^<>\n]+>)/)
    .map((part, i) => (i % 2 === 0 ? undefined : label(part.slice(1, -1), people)) ?? decoded(part))
    .join('')
}

/** What Slack shows of the part between `<` and `>`; undefined: it is no link. */
function label(source: string, people: People): string | undefined {
  const { target, text } = partsOf(source)
  const [sign, id] = [target.slice(0, 1), target.slice(1)]
  if (/^@[A-Z0-9]+$/.test(target)) return `@${text.replace(/^@/, '') || people.nameOf(id) || id}`
  if (/^#[A-Z0-9]+$/.test(target)) return `#${text || id}`
  if (sign === '!') return text || `@${id.replace(/^subteam\b/, 'group').replace(/\^[\s\S]*$/, '')}`
  if (!/^[a-z][a-z\d+.-]*:/i.test(target)) return undefined
  return withoutToken(text || decoded(target).replace(/^(mailto|tel):/i, ''))
}

function partsOf(source: string): { readonly target: string; readonly text: string } {
  const bar = source.indexOf('|')
  return bar < 0
    ? { target: source, text: '' }
    : { target: source.slice(0, bar), text: decoded(source.slice(bar + 1)) }
}

/** Puts signs where Slack's marks are: around words, with no letters outside. */
function emphasized(text: string): string {
  return text
    .replace(/^(?:&gt;)+ ?/gm, () => signs.quote)
    .replace(
      /(?<![\w*])\*(?=\S)([^*\n]*[^*\s])\*(?![\w*])/g,
      (_, words: string) => signs.bold + words + signs.bold,
    )
    .replace(
      /(?<![\w_])_(?=\S)([^_\n]*[^_\s])_(?![\w_])/g,
      (_, words: string) => signs.italic + words + signs.italic,
    )
    .replace(
      /(?<![\w~])~(?=\S)([^~\n]*[^~\s])~(?![\w~])/g,
      (_, words: string) => signs.strike + words + signs.strike,
    )
}

/** Entities are decoded last, so that `&amp;lt;` is what its author saw. */
function finished(text: string): string {
  return escaped(decoded(text))
    .replaceAll(signs.bold, '**')
    .replaceAll(signs.italic, '*')
    .replaceAll(signs.strike, '~~')
    .replaceAll(signs.quote, '> ')
}

/** A text without signs and entities. */
const bare = (text: string) => decoded(text.replace(control, ''))

/** Slack only encodes these three characters. */
export const decoded = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** The part between `<` and `>`. */
function reference(source: string, people: People): Pieces {
  const { target, text } = partsOf(source)
  if (/^@[A-Z0-9]+$/.test(target)) return [mention(target.slice(1), text, people)]
  if (/^#[A-Z0-9]+$/.test(target)) return [channelLink(target.slice(1), text)]
  if (/^!(channel|here|everyone)\b/.test(target)) return [{ everyone: true }]
  const [command = '', ...details] = target.split('^')
  if (command === '!date') return [moment(Number(details[0]), text)]
  if (target.startsWith('!')) return [escaped(label(source, people) ?? '')]
  return [link(decoded(target), text)]
}

export function mention(
  id: string,
  label: string,
  people: People,
): Extract<Reference, { person: string }> {
  const name = label.replace(/^@/, '') || people.nameOf(id) || id
  return { person: people.keyOf(id), text: `@${escaped(name)}` }
}

export function channelLink(id: string, label = ''): Reference {
  return { channel: id, text: `#${escaped(label || id)}` }
}

/** A time, shown in each reader's time zone. */
export function moment(seconds: number, fallback: string): string {
  const isTime = Number.isFinite(seconds) && Math.abs(seconds) < 253_402_300_800
  return isTime ? `<time:${new Date(seconds * 1000).toISOString()}>` : escaped(fallback)
}

const messageUrl = /^https:\/\/[\w.-]+\.slack\.com\/archives\/([A-Z0-9]+)\/p(\d{10})(\d{6})(?![\d])/

/** A link to a page, or to a message. Tokens of an export are not passed on. */
export function link(url: string, label: string): string | Reference {
  const clean = withoutToken(url)
  const [, channel, seconds, fraction] = messageUrl.exec(clean) ?? []
  if (channel !== undefined) {
    const message = `${channel}-${seconds}.${fraction}`
    return { message, text: withoutToken(label || clean), url: clean }
  }
  return linkTo(clean, withoutToken(label))
}

/** Slack writes a token into the addresses of files. */
export function withoutToken(text: string): string {
  return text.replace(/([?&])(?:t|token)=xox[a-z]-[\w-]+&?/g, '$1').replace(/[?&]$/, '')
}
