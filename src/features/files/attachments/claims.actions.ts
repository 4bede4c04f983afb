import type { User } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { findReadable } from './access.ts'
import { removeFile } from './actions.ts'
import {
  deleteClaim,
  deleteClaimsOf,
  deleteSchedulesOf,
  insertClaim,
  insertSchedule,
  isClaimed,
  listClaimedBy,
  listScheduledBy,
  setUnclaimedSince,
} from './claims.queries.ts'
import { attachmentEvent } from './events.ts'
import type { Attachment } from './queries.ts'

/**
 * The linked files that the author may read. A link to any other file grants nobody access, and
 * does not count as a claim.
 *
 * @param pathIds from the rendered text's `links.uploads`
 */
export function claimable(read: Read, author: User, pathIds: readonly string[]): Attachment[] {
  return pathIds.map((pathId) => findReadable(read, author, pathId)).filter((file) => !!file)
}

/** Claims files for a new message: users who can read the message can now read them. */
export function claimFiles(tx: Tx, files: readonly Attachment[], messageId: number): void {
  for (const file of files) {
    insertClaim(tx, { attachmentId: file.id, messageId })
    markClaimed(tx, file)
  }
}

export interface ClaimChange {
  readonly hasAttachment: boolean
  /** Files whose last claim was this message's. */
  readonly detached: readonly Attachment[]
}

/**
 * Updates the claims of an edited message to the links that it has now. Files without a claim stay
 * with their owner.
 */
export function reclaimFiles(
  tx: Tx,
  author: User,
  messageId: number,
  pathIds: readonly string[],
): ClaimChange {
  const before = listClaimedBy(tx, [messageId])
  const kept = before.filter(({ pathId }) => pathIds.includes(pathId))
  const known = new Set(kept.map(({ pathId }) => pathId))
  const added = claimable(
    tx,
    author,
    pathIds.filter((pathId) => !known.has(pathId)),
  )
  const dropped = before.filter(({ pathId }) => !known.has(pathId))
  for (const { id } of dropped) deleteClaim(tx, { attachmentId: id, messageId })
  for (const file of dropped) markReleased(tx, file)
  claimFiles(tx, added, messageId)
  return {
    hasAttachment: kept.length + added.length > 0,
    detached: dropped.filter(({ id }) => !isClaimed(tx, id)),
  }
}

/**
 * Releases the claims of deleted messages, and removes files without any other claim.
 *
 * @source Zulip API, "Delete an attachment"
 */
export function releaseFiles(tx: Tx, messageIds: readonly number[]): void {
  const files = listClaimedBy(tx, messageIds)
  if (files.length === 0) return
  deleteClaimsOf(tx, messageIds)
  for (const file of files) {
    if (isClaimed(tx, file.id)) tx.emit(attachmentEvent(tx, 'update', file), [file.ownerId])
    else removeFile(tx, file)
  }
}

/**
 * Updates the claims of a scheduled message. Its files are kept, but only readable by their owner
 * until it is sent.
 */
export function scheduleFiles(
  tx: Tx,
  author: User,
  scheduledMessageId: number,
  pathIds: readonly string[],
): void {
  const before = listScheduledBy(tx, scheduledMessageId)
  deleteSchedulesOf(tx, scheduledMessageId)
  for (const file of claimable(tx, author, pathIds)) {
    insertSchedule(tx, file.id, scheduledMessageId)
    setUnclaimedSince(tx, file.id, null)
  }
  for (const file of before) startExpiryUnlessClaimed(tx, file)
}

/**
 * Releases the claims of a scheduled message that was deleted, or sent and so claims its files as a
 * message.
 */
export function unscheduleFiles(tx: Tx, scheduledMessageId: number): void {
  const before = listScheduledBy(tx, scheduledMessageId)
  deleteSchedulesOf(tx, scheduledMessageId)
  for (const file of before) startExpiryUnlessClaimed(tx, file)
}

function markClaimed(tx: Tx, file: Attachment): void {
  setUnclaimedSince(tx, file.id, null)
  tx.emit(attachmentEvent(tx, 'update', file), [file.ownerId])
}

function markReleased(tx: Tx, file: Attachment): void {
  startExpiryUnlessClaimed(tx, file)
  tx.emit(attachmentEvent(tx, 'update', file), [file.ownerId])
}

function startExpiryUnlessClaimed(tx: Tx, file: Attachment): void {
  if (isClaimed(tx, file.id)) return
  setUnclaimedSince(tx, file.id, seconds(tx.clock))
  wakeJobs(tx)
}
