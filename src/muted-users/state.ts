import type { StatePart } from '#events/state.ts'
import { mutedUserJson } from './events.ts'
import { listMutedUsers } from './queries.ts'

export const mutedUsersState: StatePart = {
  types: ['muted_users'],
  read: ({ store, user }) => ({
    muted_users: listMutedUsers(store, user.id).map(mutedUserJson),
  }),
}
