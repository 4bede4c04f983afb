import { canAccessUser } from '#features/users/access.ts'
import { findUser, type User } from '#features/users/queries.ts'
import type { WireEvent } from '#platform/events/types.ts'
import type { Tx } from '#platform/store/write.ts'

/** The changed parts of a status; empty strings for cleared parts. */
export interface StatusChanges {
  status_text?: string
  emoji_name?: string
  emoji_code?: string
  reaction_type?: string
  /** Deprecated: whether the user hides their presence. */
  away?: boolean
}

/**
 * A user changed their status.
 *
 * @source Zulip API, "Get events", type "user_status"
 */
export interface UserStatusEvent extends WireEvent, StatusChanges {
  type: 'user_status'
  user_id: number
}

/**
 * Emits changes of a user's status to all users who may see the user, or those of them for whom
 * `isFor` is true.
 */
export function emitUserStatus(
  tx: Tx,
  user: User,
  changes: StatusChanges,
  isFor: (viewerId: number) => boolean = () => true,
): void {
  const event: UserStatusEvent = { type: 'user_status', user_id: user.id, ...changes }
  tx.emit(event, (viewerId) => {
    const viewer = isFor(viewerId) ? findUser(tx, viewerId) : undefined
    return viewer !== undefined && canAccessUser(tx, viewer, user)
  })
}
