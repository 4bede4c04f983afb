import type { User } from '#features/foundation/users/queries.ts'
import { occasion } from '#platform/store/occasions.ts'

/** Whoever else has access to the account, by a browser or otherwise, is to lose it. */
export const loggedOutElsewhere = occasion<Pick<User, 'id'>>(
  'a user logged out of all other browsers',
)
