import { randomBytes } from 'node:crypto'
import { requireRoom } from '#features/files/attachments/actions.ts'
import { type Attachment, findAttachmentById } from '#features/files/attachments/queries.ts'
import { addUpload, examine, type UploadedFile } from '#features/files/uploads/actions.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import { releaseFile } from '#platform/files/actions.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { Caller } from '#platform/http/caller.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import {
  countParts,
  countUnfinished,
  deleteParts,
  deleteResumable,
  findResumable,
  insertPart,
  insertResumable,
  listExpired,
  listParts,
  type ResumableUpload,
  updateResumable,
} from './queries.ts'

/** How long an upload waits for its next part, in seconds: a day. */
const idleSeconds = 24 * 3600

/** The most unfinished uploads per user. */
const mostUnfinished = 100

/**
 * The most small parts per upload, for example after lost connections; each is a file until the
 * upload is complete.
 */
const mostSmallParts = 100
/** The size in bytes from which a part is not small. */
const usualPart = 64 * 1024

/** Finds an upload if the user owns it and it has not expired. */
export function findOwnResumable(
  read: Read,
  ownerId: number,
  id: string,
): ResumableUpload | undefined {
  const upload = findResumable(read, id)
  const isTheirs = upload?.ownerId === ownerId && upload.expiresAt > seconds(read.clock)
  return isTheirs ? upload : undefined
}

/**
 * Starts an upload.
 *
 * @param metadata the client's `Upload-Metadata` header
 * @param length the size of the whole file, in bytes
 * @throws BAD_REQUEST the quota would be exceeded, or too many uploads are unfinished
 */
export function beginUpload(
  tx: Tx,
  caller: Caller,
  metadata: string,
  length: number,
): ResumableUpload {
  requireRoom(tx, caller.user, length)
  if (countUnfinished(tx, caller.user.id) >= mostUnfinished) {
    throw badRequest(sentSentence('You have too many unfinished uploads.'))
  }
  const upload = insertResumable(tx, {
    id: randomBytes(24).toString('hex'),
    ownerId: caller.user.id,
    metadata,
    length,
    expiresAt: seconds(tx.clock) + idleSeconds,
  })
  wakeJobs(tx)
  return upload
}

/**
 * Appends a part to an upload.
 *
 * @param part its contents, already in the file store
 * @returns the updated upload; undefined if it has expired, or another request has added a part
 *   first
 * @throws BAD_REQUEST too many small parts
 */
export function appendPart(
  tx: Tx,
  { id, ownerId, received: start }: ResumableUpload,
  part: { readonly hash: string; readonly size: number },
): ResumableUpload | undefined {
  const now = findOwnResumable(tx, ownerId, id)
  if (now?.received !== start) return undefined
  if (part.size === 0) return now
  if (countParts(tx, id) >= mostSmallParts + now.length / usualPart) {
    throw badRequest(sentSentence('The upload has too many small parts.'))
  }
  insertPart(tx, { uploadId: id, start, fileHash: part.hash })
  const changes = { received: start + part.size, expiresAt: seconds(tx.clock) + idleSeconds }
  updateResumable(tx, id, changes)
  return { ...now, ...changes }
}

/**
 * Creates the file of a complete upload. Repeated calls return the same file.
 *
 * @param name the client's name for the file
 * @returns undefined if the file has been deleted since
 * @throws BAD_REQUEST the quota is exceeded by now
 */
export async function finishUpload(
  caller: Caller,
  { id, length, attachmentId }: ResumableUpload,
  name: string,
): Promise<Attachment | undefined> {
  const { store, server } = caller
  if (attachmentId !== null) return findAttachmentById(store, attachmentId)
  const parts = inOrder(server.files, listParts(store, id))
  const finish = server.files.putFor(parts, length, async (whole) => {
    const arrived = await examine(server.files, { name, ...whole })
    return await store.write((tx) => addFinished(tx, caller, id, arrived))
  })
  return await finish.catch((error: unknown) => {
    // Another request may have finished it meanwhile, and removed the parts.
    const finished = findResumable(store, id)?.attachmentId
    if (finished == null) throw error
    return findAttachmentById(store, finished)
  })
}

function addFinished(
  tx: Tx,
  caller: Caller,
  id: string,
  arrived: UploadedFile,
): Attachment | undefined {
  const upload = findResumable(tx, id)
  if (upload?.attachmentId != null) return findAttachmentById(tx, upload.attachmentId)
  const file = addUpload(tx, caller.user, arrived, upload ? arrived.size : 0)
  updateResumable(tx, id, { attachmentId: file.id })
  removeParts(tx, id)
  return file
}

async function* inOrder(files: FileStore, hashes: readonly string[]) {
  for (const hash of hashes) yield* files.stream(hash)
}

/** Deletes an upload and its parts. The file of a finished upload stays. */
export function endUpload(tx: Tx, { id }: ResumableUpload): void {
  removeParts(tx, id)
  deleteResumable(tx, id)
}

function removeParts(tx: Tx, id: string): void {
  for (const hash of listParts(tx, id)) releaseFile(tx, hash)
  deleteParts(tx, id)
}

/**
 * Deletes expired uploads.
 *
 * @param most the largest number to delete
 * @returns the number of deleted uploads; less than `most` if no more have expired
 */
export function endExpired(tx: Tx, most: number): number {
  const expired = listExpired(tx, seconds(tx.clock), most)
  for (const upload of expired) endUpload(tx, upload)
  return expired.length
}
