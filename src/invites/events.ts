import type { WireEvent } from '#events/types.ts'
import type { Tx } from '#store/write.ts'
import { findUser, roles } from '#users/queries.ts'

/** The invitations are not what they were: whoever shows them asks for them again. */
export interface InvitesChangedEvent extends WireEvent {
  type: 'invites_changed'
}

/**
 * Tells the administrators and whoever made the invitation.
 *
 * @source the API description of `invites_changed` (feature level 209)
 */
export function emitInvitesChanged(tx: Tx, inviterId: number): void {
  const event: InvitesChangedEvent = { type: 'invites_changed' }
  tx.emit(event, (userId) => {
    const user = findUser(tx, userId)
    return userId === inviterId || (user !== undefined && user.role <= roles.admin)
  })
}
