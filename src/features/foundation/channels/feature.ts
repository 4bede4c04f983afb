import { feature } from '#platform/feature.ts'
import { newChannelQuota } from './quotas.ts'
import { channelEventShapes } from './shapes.ts'

export const channels = feature({
  events: channelEventShapes,
  quotas: [newChannelQuota],
})
