import type { Tx } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { emitInvitesChanged } from './events.ts'
import { endInvitationsBy } from './queries.ts'

/** Whoever has no account any more brings nobody in: every invitation that they made ends. */
export function endInvitationsOf(tx: Tx, inviter: User): void {
  if (endInvitationsBy(tx, inviter.id) > 0) emitInvitesChanged(tx, inviter.id)
}
