import type { Shaped } from '#platform/shape.ts'
import type { CustomEmoji } from './queries.ts'
import type { emojiShape } from './shapes.ts'
import { emojiUrl } from './urls.ts'

/** A custom emoji on the wire. @source Zulip API, "Get all custom emoji" */
export type EmojiJson = Shaped<typeof emojiShape>

/** Custom emoji on the wire, by id. */
export function emojiMapJson(emoji: readonly CustomEmoji[]): Record<string, EmojiJson> {
  return Object.fromEntries(emoji.map((each) => [String(each.id), emojiJson(each)]))
}

export function emojiJson(emoji: CustomEmoji): EmojiJson {
  return {
    id: String(emoji.id),
    name: emoji.name,
    source_url: emojiUrl(emoji.fileName),
    still_url: emoji.stillFileName === null ? null : emojiUrl(emoji.stillFileName),
    deactivated: emoji.deactivated,
    author_id: emoji.authorId,
  }
}
