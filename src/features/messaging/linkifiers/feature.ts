import { feature } from '#platform/feature.ts'
import { linkifierQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { linkifierEventShapes } from './shapes.ts'
import { filtersState, linkifiersState } from './state.ts'

export const linkifiers = feature({
  routes: { Organization: [routes] },
  state: [filtersState, linkifiersState],
  events: linkifierEventShapes,
  quotas: [linkifierQuota],
})
