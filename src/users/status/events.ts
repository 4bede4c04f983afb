import type { WireEvent } from '#events/types.ts'
import type { Tx } from '#store/write.ts'
import { canAccessUser } from '#users/access.ts'
import { findUser, type User } from '#users/queries.ts'

/** What of a status changed; empty where it was cleared. */
export interface StatusChanges {
  status_text?: string
  emoji_name?: string
  emoji_code?: string
  reaction_type?: string
  /** Deprecated: the user hides their presence. */
  away?: boolean
}

/** Somebody changed their status. @source the API description's `user_status` event */
export interface UserStatusEvent extends WireEvent, StatusChanges {
  type: 'user_status'
  user_id: number
}

/** Tells all who may know of the user, or those of them whom `isFor` lets in. */
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
