import type { StatePart } from '#events/state.ts'
import { emojiMapJson } from './json.ts'
import { listCustomEmoji } from './queries.ts'

export const emojiState: StatePart = {
  types: ['realm_emoji'],
  read: ({ store }) => ({ realm_emoji: emojiMapJson(listCustomEmoji(store)) }),
}
