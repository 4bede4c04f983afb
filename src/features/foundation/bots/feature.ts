import { userChanged } from '#features/foundation/users/occasions.ts'
import { feature } from '#platform/feature.ts'
import { on } from '#platform/store/occasions.ts'
import { emitBotChanges } from './events.ts'
import { botQuota, newBotQuota } from './quotas.ts'
import { botEventShapes } from './shapes.ts'

export const bots = feature({
  on: [on(userChanged, emitBotChanges)],
  events: botEventShapes,
  quotas: [botQuota, newBotQuota],
})
