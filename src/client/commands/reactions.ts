import type { App } from '#client/app.ts'
import type { Emoji, Message } from '#client/state/model.ts'
import { attempt } from './attempt.ts'

type EmojiId = Pick<Emoji, 'name' | 'code' | 'type'>

/** Adds the user's reaction to a message, or removes an existing one. */
export async function toggleReaction(app: App, messageId: number, emoji: EmojiId): Promise<void> {
  const message = app.store.messages.peek(messageId)
  if (!message) return
  const { name, code, type } = emoji
  const hasIt = message.reactions.some(
    (each) => each.userId === app.store.selfId && each.code === code && each.type === type,
  )
  if (!hasIt) countUse(emoji)
  const vote = { name, code, type }
  await attempt(
    app,
    hasIt ? app.changes.removeReaction(messageId, vote) : app.changes.addReaction(messageId, vote),
  )
}

/** The first reaction of a message; the key `=` joins it. */
export function firstReaction(message: Message): EmojiId | undefined {
  return message.reactions[0]
}

export const thumbsUp: EmojiId = { name: '+1', code: '1f44d', type: 'unicode_emoji' }

const storageKey = 'parley:emoji-uses'

/** How often this browser's user used each emoji, by `type:code`. */
function emojiUses(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}

/** How often an emoji was used, as of now. */
export function usesOf(): (emoji: EmojiId) => number {
  const uses = emojiUses()
  return (emoji) => uses[emojiKey(emoji)] ?? 0
}

/** Remembers that an emoji was used, for the picker's first row. */
export function countUse(emoji: EmojiId): void {
  const uses = emojiUses()
  const key = emojiKey(emoji)
  uses[key] = (uses[key] ?? 0) + 1
  try {
    localStorage.setItem(storageKey, JSON.stringify(uses))
  } catch {
    // Without storage, only the counts are lost.
  }
}

export function emojiKey({ type, code }: EmojiId): string {
  return `${type}:${code}`
}

/** Popular reactions, until the user's own are known. */
const usual: readonly EmojiId[] = [
  thumbsUp,
  { name: 'heart', code: '2764', type: 'unicode_emoji' },
  { name: 'joy', code: '1f602', type: 'unicode_emoji' },
  { name: 'tada', code: '1f389', type: 'unicode_emoji' },
  { name: 'check', code: '2705', type: 'unicode_emoji' },
  { name: 'eyes', code: '1f440', type: 'unicode_emoji' },
]

/** The usual reactions, the user's most used first. */
export function favouriteReactions(): readonly EmojiId[] {
  const uses = usesOf()
  return usual.toSorted((a, b) => uses(b) - uses(a))
}
