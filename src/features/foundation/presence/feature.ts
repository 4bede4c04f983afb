import { userRevealed } from '#features/foundation/users/occasions.ts'
import { feature } from '#platform/feature.ts'
import { on } from '#platform/store/occasions.ts'
import { emitKnownPresence } from './events.ts'
import * as routes from './routes.ts'
import { presenceEventShapes } from './shapes.ts'
import { presenceState } from './state.ts'

export const presence = feature({
  on: [on(userRevealed, emitKnownPresence)],
  routes: { Users: [routes] },
  state: [presenceState],
  events: presenceEventShapes,
})
