import { feature } from '#platform/feature.ts'
import * as routes from './routes.ts'
import { mutedUserEventShapes } from './shapes.ts'
import { mutedUsersState } from './state.ts'

export const mutedUsers = feature({
  routes: { Users: [routes] },
  state: [mutedUsersState],
  events: mutedUserEventShapes,
})
