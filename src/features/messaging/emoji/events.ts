import type { EventOf } from '#platform/shape.ts'
import type { Tx } from '#platform/store/store.ts'
import { emojiJson, emojiMapJson } from './json.ts'
import { type CustomEmoji, listCustomEmoji } from './queries.ts'
import type { emojiEventShapes } from './shapes.ts'

/** All custom emoji, for clients without `individual_emoji_changes`. */
export type EmojiUpdateEvent = EventOf<typeof emojiEventShapes, 'realm_emoji', 'update'>

/**
 * A custom emoji was added, for clients with `individual_emoji_changes`.
 *
 * @source Zulip API, "Get events", type "realm_emoji" (feature level 491)
 */
export type EmojiAddEvent = EventOf<typeof emojiEventShapes, 'realm_emoji', 'add'>

export type EmojiUpdateOneEvent = EventOf<typeof emojiEventShapes, 'realm_emoji', 'update_one'>

export function emitEmojiAdded(tx: Tx, emoji: CustomEmoji): void {
  emitChange(tx, { type: 'realm_emoji', op: 'add', emoji: emojiJson(emoji) })
}

export function emitEmojiDeactivated(tx: Tx, id: number): void {
  emitChange(tx, {
    type: 'realm_emoji',
    op: 'update_one',
    emoji_id: String(id),
    data: { deactivated: true },
  })
}

/** Emits to everyone, in the form that each client supports. */
function emitChange(tx: Tx, change: EmojiAddEvent | EmojiUpdateOneEvent): void {
  const all = emojiMapJson(listCustomEmoji(tx))
  tx.emit(
    {
      type: 'realm_emoji',
      variant: ({ traits }) =>
        traits.capabilities.has('individual_emoji_changes') ? 'change' : 'all',
      build: (key): EmojiUpdateEvent | typeof change =>
        key === 'all' ? { type: 'realm_emoji', op: 'update', realm_emoji: all } : change,
    },
    () => true,
  )
}
