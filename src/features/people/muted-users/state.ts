import { listMutedUsers } from '#features/foundation/users/muting.queries.ts'
import type { StatePart } from '#platform/events/state.ts'
import { mutedUserJson } from './events.ts'
import { mutedUsersShape } from './shapes.ts'

export const mutedUsersState = {
  types: ['muted_users'],
  members: { muted_users: mutedUsersShape },
  read: ({ store, user }) => ({
    muted_users: listMutedUsers(store, user.id).map(mutedUserJson),
  }),
} satisfies StatePart
