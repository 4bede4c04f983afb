import { feature } from '#platform/feature.ts'
import { mountCalls } from './pages.ts'
import { callRate } from './quotas.ts'
import * as routes from './routes.ts'
import { callEventShapes } from './shapes.ts'
import { callsState } from './state.ts'

export const calls = feature({
  routes: { Messages: [routes] },
  state: [callsState],
  events: callEventShapes,
  quotas: [callRate],
  pages: [mountCalls],
})
