import type { EventOf } from '#platform/shape.ts'
import { occasion } from '#platform/store/occasions.ts'
import type { User } from './queries.ts'
import type { userEventShapes } from './shapes.ts'

type Person = EventOf<typeof userEventShapes, 'realm_user', 'update'>['person']

/** The changed members of a user, as the wire names them. */
export type UserChanges = Omit<Person, 'user_id'>

/** Public data of a user that changed. */
export interface ChangedUser {
  readonly user: User
  readonly changes: UserChanges
}

export const userChanged = occasion<ChangedUser>('a user changed')

/** A user whom some users can see from now on. */
export interface RevealedUser {
  readonly user: User
  /** Which of the users who can see the user could not do so before. */
  isFor(viewerId: number): boolean
}

export const userRevealed = occasion<RevealedUser>('a user became visible')
