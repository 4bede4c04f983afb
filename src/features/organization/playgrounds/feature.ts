import { feature } from '#platform/feature.ts'
import { playgroundQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { playgroundEventShapes } from './shapes.ts'
import { playgroundsState } from './state.ts'

export const playgrounds = feature({
  routes: { Organization: [routes] },
  state: [playgroundsState],
  events: playgroundEventShapes,
  quotas: [playgroundQuota],
})
