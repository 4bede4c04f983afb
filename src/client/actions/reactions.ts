import type { App } from '#client/app.ts'
import type { Emoji, Message, Reaction } from '#client/state/model.ts'
import { attempt } from './attempt.ts'

type EmojiId = Pick<Emoji, 'name' | 'code' | 'type'>

/** Adds the user's reaction to a message, or takes it back where it is there. */
export async function toggleReaction(app: App, messageId: number, emoji: EmojiId): Promise<void> {
  const message = app.store.messages.peek(messageId)
  if (!message) return
  const path = `/messages/${messageId}/reactions`
  const params = { emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.type }
  const hasIt = isReactedBy(message, emoji, app.store.selfId)
  if (!hasIt) countUse(emoji)
  await attempt(app, hasIt ? app.api.delete(path, params) : app.api.post(path, params))
}

function isReactedBy(message: Message, emoji: EmojiId, userId: number): boolean {
  return message.reactions.some((each) => each.userId === userId && isSame(each, emoji))
}

function isSame(a: EmojiId | Reaction, b: EmojiId): boolean {
  return a.code === b.code && a.type === b.type
}

/** The first reaction of a message; the key `=` joins it. */
export function firstReaction(message: Message): EmojiId | undefined {
  return message.reactions[0]
}

export const thumbsUp: EmojiId = { name: '+1', code: '1f44d', type: 'unicode_emoji' }

const storageKey = 'parley:emoji-uses'

/** How often this browser's user took each emoji, by `type:code`. */
export function emojiUses(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, number>
  } catch {
    return {}
  }
}

/** Remembers that an emoji was used, for the picker's first row. */
export function countUse(emoji: EmojiId): void {
  const uses = emojiUses()
  const key = emojiKey(emoji)
  uses[key] = (uses[key] ?? 0) + 1
  try {
    localStorage.setItem(storageKey, JSON.stringify(uses))
  } catch {
    // A full or forbidden storage only forgets what is used often.
  }
}

export function emojiKey({ type, code }: EmojiId): string {
  return `${type}:${code}`
}
