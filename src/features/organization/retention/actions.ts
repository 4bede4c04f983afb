import { eraseMessages } from '#features/messaging/messages/deleting/actions.ts'
import { closeGapsBefore } from '#features/messaging/read-state/actions.ts'
import { seconds } from '#platform/clock.ts'
import type { Tx } from '#platform/store/write.ts'
import { listOldest, retentionDays } from './queries.ts'

export const secondsPerDay = 24 * 3600

/**
 * Deletes the expired messages of a channel or direct conversation by its current settings, the
 * oldest first, and emits `delete_message` and `stream` events.
 *
 * @param most the maximum number of messages to delete
 * @returns the number of deleted messages; less than `most` when no expired ones are left
 */
export function deleteOldest(tx: Tx, recipientId: number, most: number): number {
  const days = retentionDays(tx, recipientId)
  if (days === undefined) return 0
  const limit = seconds(tx.clock) - days * secondsPerDay
  const candidates = listOldest(tx, recipientId, most)
  const kept = candidates.findIndex(({ sentAt }) => sentAt > limit)
  const expired = kept === -1 ? candidates : candidates.slice(0, kept)
  if (expired.length > 0) eraseMessages(tx, expired)
  return expired.length
}

/**
 * Removes deleted messages from the read state of some users.
 *
 * @param afterUserId where to start: with the user of the next higher id
 * @param most the maximum number of users
 * @returns the last user's id, to continue from; undefined when there are no more
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
