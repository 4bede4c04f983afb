import { seconds } from '#clock.ts'
import type { Context } from '#context.ts'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import type { Job } from '#jobs/jobs.ts'
import { wakeJobs } from '#jobs/wake.ts'
import { requireOwner } from '#permissions/can.ts'
import { secondsPerDay } from '#retention/actions.ts'
import type { Tx } from '#store/write.ts'
import { findUser } from '#users/queries.ts'
import { deleteAllSessions } from '#users/sessions/queries.ts'
import { realmDeactivatedEvent } from './events.ts'
import { findRealm, requireRealm, updateRealm } from './queries.ts'

/**
 * Closes the organization to everybody: every call is answered with REALM_DEACTIVATED until the
 * operator lets people in again. Clients that wait for events hear of it.
 *
 * @param deletionDelayDays after which everything is deleted; null: it is kept
 * @throws UNAUTHORIZED_PRINCIPAL for anybody but owners
 * @source api-changes §2b (level 332)
 */
export function deactivateRealm(
  tx: Tx,
  { user }: Pick<Caller, 'user'>,
  deletionDelayDays: number | null,
): void {
  requireOwner(findUser(tx, user.id) ?? user)
  const now = seconds(tx.clock)
  updateRealm(tx, {
    deactivatedAt: now,
    deletionAt: deletionDelayDays === null ? null : now + deletionDelayDays * secondsPerDay,
  })
  deleteAllSessions(tx)
  tx.emit(realmDeactivatedEvent(requireRealm(tx).id), () => true)
  wakeJobs(tx)
}

/** Lets people use the organization again. @throws BAD_REQUEST when they can */
export function reactivateRealm(tx: Tx): void {
  if (requireRealm(tx).deactivatedAt === null) {
    throw badRequest('The organization is not deactivated.')
  }
  updateRealm(tx, { deactivatedAt: null, deletionAt: null })
}

/** Deletes a deactivated organization with everything in it, at the time its owner chose. */
export const deleteRealm: Job = {
  name: 'delete the organization',
  dueAt: (read) => findRealm(read)?.deletionAt ?? undefined,
  async run({ startOver }: Context) {
    startOver()
  },
}
