import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Tx } from '#platform/store/write.ts'
import { isMediumAvailable } from './availability.rules.ts'
import { makePushesDue, makePushesOfDue } from './pushes.queries.ts'

/**
 * Lets the devices of a user forget pushed messages that they should show no longer. Call it when a
 * user has read messages, or can no longer read them; a job then sees which these are. Costs nothing
 * on a server where nobody has a device for pushes.
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
