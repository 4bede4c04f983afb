import { feature } from '#platform/feature.ts'
import { botQuota, newBotQuota } from './quotas.ts'
import { botEventShapes } from './shapes.ts'

export const bots = feature({
  events: botEventShapes,
  quotas: [botQuota, newBotQuota],
})
