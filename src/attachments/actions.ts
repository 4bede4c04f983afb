import { seconds } from '#clock.ts'
import { badRequest } from '#errors.ts'
import { noteFile } from '#files/actions.ts'
import type { Caller } from '#http/caller.ts'
import { wakeJobs } from '#jobs/wake.ts'
import type { Read, Tx } from '#store/write.ts'
import { removePicture } from '#thumbnails/actions.ts'
import type { User } from '#users/queries.ts'
import { attachmentEvent, attachmentRemoveEvent } from './events.ts'
import {
  type Attachment,
  countUnclaimed,
  deleteAttachment,
  findOwnAttachment,
  insertAttachment,
  listUnclaimed,
  uploadSpaceUsed,
} from './queries.ts'

/** Contents that have come, and what they are to be called. */
export interface NewFile {
  readonly pathId: string
  readonly name: string
  readonly contentType: string
  readonly fileHash: string
  /** In bytes. */
  readonly size: number
}

/** How many files one user may have that nothing links to: more are not being shared. */
const mostUnclaimed = 1000

/**
 * How much more may be uploaded: by this user, and within the organization's quota.
 *
 * @param size in bytes
 * @throws BAD_REQUEST
 */
export function requireRoom(read: Read, { user, server }: Caller, size: number): void {
  const quota = server.config.uploadQuotaMib
  if (quota !== null && uploadSpaceUsed(read) + size > quota * 1024 * 1024) {
    throw badRequest("The upload would exceed your organization's quota for uploaded files.")
  }
  if (countUnclaimed(read, user.id) >= mostUnclaimed) {
    throw badRequest('You have too many files that no message links to: delete some first.')
  }
}

/**
 * Keeps a file for its owner alone, until messages link to it; emits `attachment`/`add`.
 *
 * @throws BAD_REQUEST no room
 * @source the API description's "Upload a file"
 */
export function addFile(tx: Tx, caller: Caller, file: NewFile): Attachment {
  requireRoom(tx, caller, file.size)
  const now = seconds(tx.clock)
  const owner = caller.user.id
  const added = insertAttachment(tx, {
    ...file,
    ownerId: owner,
    createdAt: now,
    unclaimedSince: now,
  })
  wakeJobs(tx)
  tx.emit(attachmentEvent(tx, 'add', added), [owner])
  return added
}

/**
 * Deletes one of the caller's own files; the messages that link to it stay.
 *
 * @throws BAD_REQUEST "Invalid attachment": no such file of this user
 * @source the API description's "Delete an attachment"
 */
export function deleteOwnFile(tx: Tx, { id: ownerId }: User, id: number): void {
  const file = findOwnAttachment(tx, ownerId, id)
  if (!file) throw badRequest('Invalid attachment')
  removeFile(tx, file)
}

/** Removes a file, whoever wants it, and emits `attachment`/`remove`. */
export function removeFile(tx: Tx, file: Attachment): void {
  removePicture(tx, file.id)
  deleteAttachment(tx, file.id)
  noteFile(tx, file.fileHash)
  tx.emit(attachmentRemoveEvent(tx, file), [file.ownerId])
}

/** How long a file stays that nothing links to: three weeks, in seconds. */
export const unclaimedSeconds = 21 * 24 * 3600

/**
 * Removes files that nothing has linked to for too long.
 *
 * @returns how many; fewer than `most`: nothing more is due
 */
export function removeForgotten(tx: Tx, most: number): number {
  const due = listUnclaimed(tx, seconds(tx.clock) - unclaimedSeconds, most)
  for (const file of due) removeFile(tx, file)
  return due.length
}
