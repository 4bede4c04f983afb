import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Tx } from '#platform/store/store.ts'
import { isMediumAvailable } from './availability.rules.ts'
import { makePushesDue, makePushesOfDue } from './pushes.queries.ts'

/**
 * Removes pushed messages from the devices of a user that should no longer show them. Call it when
 * a user has read messages, or can no longer read them; a job then finds them. Costs nothing on a
 * server without devices for pushes.
 *
 * @param messageIds undefined: any
 */
export function recheckPushes(tx: Tx, userId: number, messageIds?: readonly number[]): void {
  if (!isMediumAvailable(tx, 'push')) return
  if (makePushesDue(tx, userId, messageIds)) wakeJobs(tx)
}

/** The same for the devices of all users, about messages that were deleted, moved or edited. */
export function recheckPushesOf(tx: Tx, messageIds: readonly number[]): void {
  if (!isMediumAvailable(tx, 'push')) return
  if (makePushesOfDue(tx, messageIds)) wakeJobs(tx)
}
