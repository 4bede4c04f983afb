import { listUsers, type User } from '#features/people/users/queries.ts'
import type { Read } from '#platform/store/write.ts'

/** Whom the development organization lets in without a password: everyone who can log in. */
export function listDevPeople(read: Read): User[] {
  return listUsers(read).filter((user) => user.isActive && user.botType === null)
}
