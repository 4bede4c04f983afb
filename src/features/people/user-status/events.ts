import { canAccessUser } from '#features/foundation/users/access.ts'
import type { RevealedUser } from '#features/foundation/users/occasions.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { extendedEvent } from '#platform/events/extended.ts'
import type { EventOf } from '#platform/shape.ts'
import type { Tx } from '#platform/store/store.ts'
import { statusJson } from './json.ts'
import { findStatus, listAway } from './queries.ts'
import type { userStatusEventShapes } from './shapes.ts'

/** The changed parts of a status; empty strings for cleared parts. */
export type StatusChanges = Omit<UserStatusEvent, 'type' | 'user_id'>

/**
 * A user changed their status.
 *
 * @source Zulip API, "Get events", type "user_status"
 */
export type UserStatusEvent = EventOf<typeof userStatusEventShapes, 'user_status'>

/** Emits a user's whole status, if there is one, to users who can see the user from now on. */
export function emitWholeStatus(tx: Tx, { user, isFor }: RevealedUser): void {
  const status = statusJson(findStatus(tx, user.id), listAway(tx).includes(user.id), true)
  if (Object.keys(status).length > 0) emitUserStatus(tx, user, status, isFor)
}

/**
 * Emits changes of a user's status, if there are any, to all users who may see the user, or those of
 * them for whom `isFor` is true.
 */
export function emitUserStatus(
  tx: Tx,
  user: User,
  changes: StatusChanges,
  isFor: (viewerId: number) => boolean = () => true,
): void {
  const { scheduled_end_time, ...known } = changes
  const isKnown = Object.keys(known).length > 0
  if (!isKnown && scheduled_end_time === undefined) return
  const form = (members: StatusChanges): UserStatusEvent => ({
    type: 'user_status',
    user_id: user.id,
    ...members,
  })
  const event =
    scheduled_end_time === undefined
      ? form(known)
      : extendedEvent(form(changes), isKnown ? form(known) : undefined)
  tx.emit(event, (viewerId) => {
    const viewer = isFor(viewerId) ? findUser(tx, viewerId) : undefined
    return viewer !== undefined && canAccessUser(tx, viewer, user)
  })
}
