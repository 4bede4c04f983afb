import { removePicture } from '#features/files/thumbnails/actions.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import { releaseFile } from '#platform/files/actions.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { arrivingFrom, bytesArriving } from './arrivals.queries.ts'
import { attachmentEvent, attachmentRemoveEvent } from './events.ts'
import {
  type Attachment,
  deleteAttachment,
  findOwnAttachment,
  insertAttachment,
  listUnclaimed,
  reservedBytes,
  reservedBytesOf,
  unclaimedOf,
  uploadSpaceUsed,
} from './queries.ts'

/** A new upload whose contents are in the file store. */
export interface NewFile {
  readonly pathId: string
  readonly name: string
  readonly contentType: string
  readonly fileHash: string
  /** In bytes. */
  readonly size: number
}

/**
 * The limit on a user's uploads that no message links to, unfinished ones included: a number of
 * files, and as many bytes as `largestFiles` files of the maximum size.
 */
const mostUnclaimed = { files: 1000, largestFiles: 40 } as const

/**
 * Checks that this user may upload more, and that the organization's quota allows it. Files that
 * are being received count too, as does the whole length of unfinished resumable uploads.
 *
 * @param size in bytes, in addition to what already counts
 * @throws BAD_REQUEST
 */
export function requireRoom(read: Read, user: User, size: number): void {
  const { uploadQuotaMib: quota, maxFileUploadMib } = read.config
  const taken = uploadSpaceUsed(read) + reservedBytes(read) + bytesArriving(read)
  if (quota !== null && taken + size > quota * mebibyte) {
    throw badRequest(
      sentSentence("The upload would exceed your organization's quota for uploaded files."),
    )
  }
  const unclaimed = unclaimedOf(read, user.id)
  const bytes = unclaimed.bytes + reservedBytesOf(read, user.id) + arrivingFrom(read, user.id).bytes
  const mostBytes = mostUnclaimed.largestFiles * maxFileUploadMib * mebibyte
  if (unclaimed.files >= mostUnclaimed.files || bytes + size > mostBytes) {
    throw badRequest(
      sentSentence('You have too many files that no message links to. Delete some first.'),
    )
  }
}

const mebibyte = 1024 * 1024

/**
 * Adds a file that only its owner can read until messages link to it; emits `attachment`/`add`.
 *
 * @param reserved how many of its bytes already count, as received or announced
 * @throws BAD_REQUEST as `requireRoom`
 * @source Zulip API, "Upload a file"
 */
export function addFile(tx: Tx, owner: User, file: NewFile, reserved: number): Attachment {
  requireRoom(tx, owner, Math.max(file.size - reserved, 0))
  const now = seconds(tx.clock)
  const added = insertAttachment(tx, {
    ...file,
    ownerId: owner.id,
    createdAt: now,
    unclaimedSince: now,
  })
  wakeJobs(tx)
  tx.emit(attachmentEvent(tx, 'add', added), [owner.id])
  return added
}

/**
 * Deletes one of the user's own files; messages that link to it stay.
 *
 * @throws BAD_REQUEST "Invalid attachment": no such file of this user
 * @source Zulip API, "Delete an attachment"
 */
export function deleteOwnFile(tx: Tx, { id: ownerId }: User, id: number): void {
  const file = findOwnAttachment(tx, ownerId, id)
  if (!file) throw badRequest(sentSentence('Invalid attachment'), { parameter: 'attachment_id' })
  removeFile(tx, file)
}

/** Removes a file, and emits `attachment`/`remove`. The caller checks permission. */
export function removeFile(tx: Tx, file: Attachment): void {
  removePicture(tx, file.id)
  deleteAttachment(tx, file.id)
  releaseFile(tx, file.fileHash)
  tx.emit(attachmentRemoveEvent(tx, file), [file.ownerId])
}

/** How long an unclaimed file is kept, in seconds: three weeks. */
export const unclaimedSeconds = 21 * 24 * 3600

/**
 * Removes files that have been unclaimed for too long.
 *
 * @param most the largest number to remove
 * @returns the number of removed files; less than `most` if no more are due
 */
export function removeForgotten(tx: Tx, most: number): number {
  const due = listUnclaimed(tx, seconds(tx.clock) - unclaimedSeconds, most)
  for (const file of due) removeFile(tx, file)
  return due.length
}
