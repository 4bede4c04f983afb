import { closeGapsBefore } from '#features/foundation/read-state/actions.ts'
import { eraseMessages } from '#features/messaging/messages/deleting/actions.ts'
import { seconds } from '#platform/clock.ts'
import type { LongWrite } from '#platform/long-write.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { listOldest, retentionDays } from './queries.ts'

export const secondsPerDay = 24 * 3600

/** How many messages, or users, are changed in one step: far less than a turn's worth. */
const perStep = 50

/**
 * Deletes the expired messages of a channel or direct conversation by its current settings, the
 * oldest first, and emits `delete_message` and `stream` events.
 *
 * @param until when to stop, in milliseconds of `performance.now()`
 * @param deleted called with the number of messages that each step has deleted
 * @returns false when time ran out and expired ones may be left
 */
export function* deleteExpired(
  tx: Tx,
  recipientId: number,
  until: number,
  deleted: (count: number) => void,
): LongWrite<boolean> {
  for (let now = tx; performance.now() < until; now = yield) {
    const expired = listExpired(now, recipientId)
    if (expired.length > 0) eraseMessages(now, expired)
    deleted(expired.length)
    if (expired.length < perStep) return true
  }
  return false
}

function listExpired(read: Read, recipientId: number): ReturnType<typeof listOldest> {
  const days = retentionDays(read, recipientId)
  if (days === undefined) return []
  const limit = seconds(read.clock) - days * secondsPerDay
  const candidates = listOldest(read, recipientId, perStep)
  const kept = candidates.findIndex(({ sentAt }) => sentAt > limit)
  return kept === -1 ? candidates : candidates.slice(0, kept)
}

/** Removes the deleted messages of a channel or direct conversation from everyone's read state. */
export function* forgetDeleted(tx: Tx, recipientId: number): LongWrite<void> {
  let afterUserId: number | undefined = 0
  for (let now = tx; ; now = yield) {
    const [first] = listOldest(now, recipientId, 1)
    afterUserId = closeGapsBefore(now, recipientId, first?.id, afterUserId, perStep)
    if (afterUserId === undefined) return
  }
}
