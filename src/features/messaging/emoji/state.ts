import { publicPart } from '#platform/events/state.ts'
import { emojiMapJson } from './json.ts'
import { listCustomEmoji } from './queries.ts'
import { emojiMapShape } from './shapes.ts'

export const emojiState = publicPart({
  types: ['realm_emoji'],
  members: { realm_emoji: emojiMapShape },
  read: ({ store }) => ({ realm_emoji: emojiMapJson(listCustomEmoji(store)) }),
})
