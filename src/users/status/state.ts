import type { StatePart } from '#events/state.ts'
import { noted, record } from '#shape.ts'
import { listAccessibleUsers } from '#users/access.ts'
import { statusJson } from './json.ts'
import { listAway, listStatuses } from './queries.ts'
import { userStatusShape } from './shapes.ts'

/** Who has a status, by user id. @source the API description of `POST /register`, "user_status" */
export const userStatusState: StatePart = {
  types: ['user_status'],
  shape: { user_status: noted(record(userStatusShape), 'By user id.') },
  read({ store, user: viewer }) {
    const statuses = new Map(listStatuses(store).map((status) => [status.userId, status]))
    const away = new Set(listAway(store))
    const shown = listAccessibleUsers(store, viewer).filter(
      ({ id, isActive }) => isActive && (statuses.has(id) || away.has(id)),
    )
    return {
      user_status: Object.fromEntries(
        shown.map(({ id }) => [id, statusJson(statuses.get(id), away.has(id))]),
      ),
    }
  },
}
