import { listUsers, type User } from '#features/foundation/users/queries.ts'
import type { Read } from '#platform/store/store.ts'

/**
 * The users who can log in to the development organization without a password: everyone who can log
 * in.
 */
export function listDevPeople(read: Read): User[] {
  return listUsers(read).filter((user) => user.isActive && user.botType === null)
}
