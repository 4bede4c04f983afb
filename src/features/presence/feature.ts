import { feature } from '#platform/feature.ts'
import * as routes from './routes.ts'
import { presenceEventShapes } from './shapes.ts'
import { presenceState } from './state.ts'

export const presence = feature({
  routes: { Users: [routes] },
  state: [presenceState],
  events: presenceEventShapes,
})
