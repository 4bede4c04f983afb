import { findUser, roles } from '#features/foundation/users/queries.ts'
import type { EventOf } from '#platform/shape.ts'
import type { Tx } from '#platform/store/store.ts'
import type { inviteEventShapes } from './shapes.ts'

/** The list of invitations changed; clients that show it fetch it again. */
export type InvitesChangedEvent = EventOf<typeof inviteEventShapes, 'invites_changed'>

/**
 * Notifies the administrators and the inviter.
 *
 * @source Zulip API, "Get events", type "invites_changed" (feature level 209)
 */
export function emitInvitesChanged(tx: Tx, inviterId: number): void {
  const event: InvitesChangedEvent = { type: 'invites_changed' }
  tx.emit(event, (userId) => {
    const user = findUser(tx, userId)
    return userId === inviterId || (user !== undefined && user.role <= roles.admin)
  })
}
