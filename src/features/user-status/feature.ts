import { feature } from '#platform/feature.ts'
import * as routes from './routes.ts'
import { userStatusEventShapes } from './shapes.ts'
import { userStatusState } from './state.ts'

export const userStatus = feature({
  routes: { Users: [routes] },
  state: [userStatusState],
  events: userStatusEventShapes,
})
