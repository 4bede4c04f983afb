import { userRevealed } from '#features/foundation/users/occasions.ts'
import { feature } from '#platform/feature.ts'
import { on } from '#platform/store/occasions.ts'
import { emitWholeStatus } from './events.ts'
import { endStatuses } from './jobs.ts'
import * as routes from './routes.ts'
import { userStatusEventShapes } from './shapes.ts'
import { userStatusState } from './state.ts'

export const userStatus = feature({
  on: [on(userRevealed, emitWholeStatus)],
  routes: { Users: [routes] },
  state: [userStatusState],
  jobs: [endStatuses],
  events: userStatusEventShapes,
})
