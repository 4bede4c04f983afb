import { seconds } from '#clock.ts'
import { eraseMessages } from '#messages/deleting/actions.ts'
import { closeGapsBefore } from '#read-state/actions.ts'
import type { Tx } from '#store/write.ts'
import { listOldest, retentionDays } from './queries.ts'

export const secondsPerDay = 24 * 3600

/**
 * Deletes what is too old in a place, the oldest first, as its settings are now, and emits
 * `delete_message` and `stream` events about it.
 *
 * @param most how many messages one write takes
 * @returns how many were deleted; fewer than `most`: nothing more is too old there
 */
export function deleteOldest(tx: Tx, recipientId: number, most: number): number {
  const days = retentionDays(tx, recipientId)
  if (days === undefined) return 0
  const limit = seconds(tx.clock) - days * secondsPerDay
  const candidates = listOldest(tx, recipientId, most)
  const kept = candidates.findIndex(({ sentAt }) => sentAt > limit)
  const doomed = kept === -1 ? candidates : candidates.slice(0, kept)
  if (doomed.length > 0) eraseMessages(tx, doomed)
  return doomed.length
}

/**
 * Forgets, for some readers at a time, who had read what is deleted.
 *
 * @returns the last reader looked at, from whom to go on; undefined when there are no more
 */
export function forgetOldest(
  tx: Tx,
  recipientId: number,
  afterUserId: number,
  most: number,
): number | undefined {
  const [first] = listOldest(tx, recipientId, 1)
  return closeGapsBefore(tx, recipientId, first?.id, afterUserId, most)
}
