import { canAccessUser } from '#features/foundation/users/access.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { isExtended } from '#platform/events/extended.ts'
import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { statusJson } from './json.ts'
import { listAway, listStatuses } from './queries.ts'
import { userStatusShape } from './shapes.ts'

/**
 * The statuses of users, by user ID.
 *
 * @source Zulip API, "Register an event queue", type "user_status"
 */
export const userStatusState = {
  types: ['user_status'],
  members: { user_status: shape.noted(shape.record(userStatusShape), 'By user id.') },
  read({ store, user: viewer }, { capabilities }) {
    const extended = isExtended({ capabilities })
    const statuses = new Map(listStatuses(store).map((status) => [status.userId, status]))
    const away = new Set(listAway(store))
    const shown = [...new Set([...statuses.keys(), ...away])].filter((id) => {
      const user = findUser(store, id)
      return user?.isActive && canAccessUser(store, viewer, user)
    })
    return {
      user_status: Object.fromEntries(
        shown.map((id) => [id, statusJson(statuses.get(id), away.has(id), extended)]),
      ),
    }
  },
} satisfies StatePart
