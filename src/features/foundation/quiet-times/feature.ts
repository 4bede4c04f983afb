import { feature } from '#platform/feature.ts'
import * as routes from './routes.ts'
import { quietTimesEventShapes } from './shapes.ts'
import { quietTimesState } from './state.ts'

export const quietTimes = feature({
  routes: { 'Own settings': [routes] },
  state: [quietTimesState],
  events: quietTimesEventShapes,
})
