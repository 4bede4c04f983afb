import { type Emoji, extraEmoji } from '#features/messaging/emoji/queries.ts'
import type { EmojiRef } from '#features/organization/imports/stream.ts'
import { emojiByName, emojiNames } from '#platform/emoji-data/unicode.ts'
import type { Work } from './work.actions.ts'

/** The names of emoji in other systems, by their names here. */
const otherNames: Readonly<Record<string, string>> = { '+1': 'thumbs_up', '-1': 'thumbs_down' }

/** The emoji; undefined: it is not known. */
export function emojiOf({ emoji }: Work, asked: EmojiRef): Emoji | undefined {
  if ('custom' in asked) {
    const custom = emoji.get(asked.custom)
    return (
      custom && {
        emojiName: custom.name,
        emojiCode: String(custom.id),
        reactionType: 'realm_emoji',
      }
    )
  }
  if (asked.name === extraEmoji && !('code' in asked)) {
    return { emojiName: extraEmoji, emojiCode: extraEmoji, reactionType: 'zulip_extra_emoji' }
  }
  const code = 'code' in asked ? bareCode(asked.code) : codeOf(asked.name)
  const names = code === undefined ? [] : emojiNames(code)
  const [first] = names
  if (code === undefined || first === undefined) return undefined
  const emojiName = asked.name !== undefined && names.includes(asked.name) ? asked.name : first
  return { emojiName, emojiCode: code, reactionType: 'unicode_emoji' }
}

const codeOf = (name: string) => emojiByName(name) ?? emojiByName(otherNames[name] ?? '')

/** Without variation selectors and skin tones, which no reaction has. */
function bareCode(code: string): string {
  const points = code.toLowerCase().split('-')
  return points.filter((point) => point !== 'fe0f' && !/^1f3f[b-f]$/.test(point)).join('-')
}
