import { feature } from '#platform/feature.ts'
import { groupQuota, newGroupQuota } from './quotas.ts'
import { groupEventShapes } from './shapes.ts'

export const groups = feature({
  events: groupEventShapes,
  quotas: [groupQuota, newGroupQuota],
})
