import type { User } from '#features/foundation/users/queries.ts'
import type { Tx } from '#platform/store/store.ts'
import { emitInvitesChanged } from './events.ts'
import { endInvitationsBy } from './queries.ts'

/** Ends all invitations by a user who is being deactivated. */
export function endInvitationsOf(tx: Tx, inviter: User): void {
  if (endInvitationsBy(tx, inviter.id) > 0) emitInvitesChanged(tx, inviter.id)
}
