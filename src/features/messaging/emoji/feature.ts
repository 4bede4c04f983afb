import { feature } from '#platform/feature.ts'
import { mountBuiltInEmoji, mountEmoji } from './pages.ts'
import { emojiQuota, newEmojiQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { emojiEventShapes } from './shapes.ts'
import { emojiState } from './state.ts'

export const emoji = feature({
  routes: { Organization: [routes] },
  state: [emojiState],
  events: emojiEventShapes,
  openPages: [mountBuiltInEmoji],
  pages: [mountEmoji],
  quotas: [emojiQuota, newEmojiQuota],
})
