import { requireOwner } from '#features/foundation/permissions/rules.ts'
import { realmDeactivatedEvent } from '#features/foundation/realm/events.ts'
import { findRealm, requireRealm, updateRealm } from '#features/foundation/realm/queries.ts'
import { deleteAllSessions } from '#features/foundation/sessions/queries.ts'
import { deleteAllConnections } from '#features/integrations/assistants/authorization/queries.ts'
import { secondsPerDay } from '#features/organization/retention/actions.ts'
import { seconds } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'

/**
 * Deactivates the organization: every request fails with REALM_DEACTIVATED until the operator
 * reactivates it. Ends all sessions, disconnects all assistants, and emits `realm`/`deactivated` to everyone.
 *
 * @param deletionDelayDays days until all data is deleted; null: never
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an owner
 * @source Zulip API, "API changelog" (feature level 332)
 */
export function deactivateRealm(
  tx: Tx,
  { user }: Pick<Caller, 'user'>,
  deletionDelayDays: number | null,
): void {
  requireOwner(user)
  const now = seconds(tx.clock)
  updateRealm(tx, {
    deactivatedAt: now,
    deletionAt: deletionDelayDays === null ? null : now + deletionDelayDays * secondsPerDay,
  })
  deleteAllSessions(tx)
  deleteAllConnections(tx)
  tx.emit(realmDeactivatedEvent(requireRealm(tx).id), () => true)
  wakeJobs(tx)
}

/** Reactivates the organization. @throws BAD_REQUEST it is not deactivated */
export function reactivateRealm(tx: Tx): void {
  if (requireRealm(tx).deactivatedAt === null) {
    throw badRequest(sentSentence('The organization is not deactivated.'))
  }
  updateRealm(tx, { deactivatedAt: null, deletionAt: null })
}

/** Deletes a deactivated organization and all its data, at the time that its owner chose. */
export const deleteRealm: Job = {
  name: 'delete the organization',
  dueAt: (read) => findRealm(read)?.deletionAt ?? undefined,
  async run({ startOver }: Context) {
    startOver()
  },
}
