import { occasion } from '#platform/store/occasions.ts'
import type { User } from './queries.ts'

/** Public data of a user that changed. */
export interface ChangedUser {
  readonly user: User
  /** The changed members of the user as the wire names them. */
  readonly changes: Readonly<Record<string, unknown>>
}

export const userChanged = occasion<ChangedUser>('a user changed')

/** A user whom some users can see from now on. */
export interface RevealedUser {
  readonly user: User
  /** Which of the users who can see the user could not do so before. */
  isFor(viewerId: number): boolean
}

export const userRevealed = occasion<RevealedUser>('a user became visible')
