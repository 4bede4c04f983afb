import { seconds } from '#clock.ts'
import { wakeJobs } from '#jobs/wake.ts'
import type { Read, Tx } from '#store/write.ts'
import type { User } from '#users/queries.ts'
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
} from './claim-queries.ts'
import { attachmentEvent } from './events.ts'
import type { Attachment } from './queries.ts'

/**
 * Those of the files a text links to that its author may have: a link to any other gives nobody
 * access, and counts for nothing.
 *
 * @param pathIds from the rendered text's `links.uploads`
 */
export function claimable(read: Read, author: User, pathIds: readonly string[]): Attachment[] {
  return pathIds.map((pathId) => findReadable(read, author, pathId)).filter((file) => !!file)
}

/** A new message links to files: from now on whoever may read it may have them. */
export function claimFiles(tx: Tx, files: readonly Attachment[], messageId: number): void {
  for (const file of files) {
    insertClaim(tx, { attachmentId: file.id, messageId })
    keep(tx, file)
  }
}

export interface Reclaimed {
  readonly hasAttachment: boolean
  /** What the message linked to before and nothing links to any more. */
  readonly detached: readonly Attachment[]
}

/**
 * A message's text was changed: it claims what it links to now, and lets go of what it linked to
 * before. What nothing links to any more stays its owner's.
 */
export function reclaimFiles(
  tx: Tx,
  author: User,
  messageId: number,
  pathIds: readonly string[],
): Reclaimed {
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
  for (const file of dropped) letGo(tx, file)
  claimFiles(tx, added, messageId)
  return {
    hasAttachment: kept.length + added.length > 0,
    detached: dropped.filter(({ id }) => !isClaimed(tx, id)),
  }
}

/**
 * Messages are deleted: a file that only they linked to goes with them.
 *
 * @source the API description's "Delete an attachment"
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
 * A message is scheduled, or its text was changed before it was sent: it keeps the files that it
 * links to, for nobody else to see before it is sent.
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
  for (const file of before) forgetUnlessClaimed(tx, file)
}

/** A scheduled message is no more: sent, after it claimed its files as a message, or deleted. */
export function unscheduleFiles(tx: Tx, scheduledMessageId: number): void {
  const before = listScheduledBy(tx, scheduledMessageId)
  deleteSchedulesOf(tx, scheduledMessageId)
  for (const file of before) forgetUnlessClaimed(tx, file)
}

function keep(tx: Tx, file: Attachment): void {
  setUnclaimedSince(tx, file.id, null)
  tx.emit(attachmentEvent(tx, 'update', file), [file.ownerId])
}

function letGo(tx: Tx, file: Attachment): void {
  forgetUnlessClaimed(tx, file)
  tx.emit(attachmentEvent(tx, 'update', file), [file.ownerId])
}

function forgetUnlessClaimed(tx: Tx, file: Attachment): void {
  if (isClaimed(tx, file.id)) return
  setUnclaimedSince(tx, file.id, seconds(tx.clock))
  wakeJobs(tx)
}
