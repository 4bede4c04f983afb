import { randomBytes } from 'node:crypto'
import { requireRoom } from '#attachments/actions.ts'
import { type Attachment, findAttachmentById } from '#attachments/queries.ts'
import { seconds } from '#clock.ts'
import { badRequest } from '#errors.ts'
import { noteFile } from '#files/actions.ts'
import type { FileStore } from '#files/store.ts'
import type { Caller } from '#http/caller.ts'
import { wakeJobs } from '#jobs/wake.ts'
import type { Read, Tx } from '#store/write.ts'
import { addUpload, examine } from '#uploads/adding.ts'
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
  spacePromised,
  updateResumable,
} from './queries.ts'

/** How long an upload waits for its next part: a day, in seconds. */
const patience = 24 * 3600

/** How many unfinished uploads one user may have. */
const mostUnfinished = 100

/** How many parts may be small, such as where a connection was lost; each is a file until the end. */
const mostSmallParts = 100
/** The size of a part that is not small, in bytes. */
const usualPart = 64 * 1024

/** The upload, if it is the user's own and not given up. */
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
 * Begins an upload.
 *
 * @param metadata what the client says of the file, in the protocol's form
 * @param length of the whole file, in bytes
 * @throws BAD_REQUEST no room, or too many that are not finished
 */
export function beginUpload(
  tx: Tx,
  caller: Caller,
  metadata: string,
  length: number,
): ResumableUpload {
  requireRoom(tx, caller, spacePromised(tx) + length)
  if (countUnfinished(tx, caller.user.id) >= mostUnfinished) {
    throw badRequest('You have too many unfinished uploads.')
  }
  const upload = insertResumable(tx, {
    id: randomBytes(24).toString('hex'),
    ownerId: caller.user.id,
    metadata,
    length,
    expiresAt: seconds(tx.clock) + patience,
  })
  wakeJobs(tx)
  return upload
}

/**
 * Another part has come.
 *
 * @param part its contents, in the store of files already
 * @returns the upload as it is now; undefined when it does not end where the part begins, because
 *   another request came first, or is given up
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
    throw badRequest('The upload comes in too many small parts.')
  }
  insertPart(tx, { uploadId: id, start, fileHash: part.hash })
  const changes = { received: start + part.size, expiresAt: seconds(tx.clock) + patience }
  updateResumable(tx, id, changes)
  return { ...now, ...changes }
}

/**
 * Makes the file of an upload of which all has come; the same file each time.
 *
 * @param name what the client calls it
 * @throws BAD_REQUEST there is no room any more
 */
export async function finishUpload(
  caller: Caller,
  { id, length, attachmentId }: ResumableUpload,
  name: string,
): Promise<Attachment | undefined> {
  const { store, server } = caller
  if (attachmentId !== null) return findAttachmentById(store, attachmentId)
  const parts = listParts(store, id)
  const whole = await server.files.putStream(inOrder(server.files, parts), length)
  const arrived = await examine(server.files, { name, ...whole })
  return await store.write((tx) => {
    const finished = findResumable(tx, id)?.attachmentId
    if (finished != null) return findAttachmentById(tx, finished)
    const file = addUpload(tx, caller, arrived)
    updateResumable(tx, id, { attachmentId: file.id })
    removeParts(tx, id)
    return file
  })
}

async function* inOrder(files: FileStore, hashes: readonly string[]) {
  for (const hash of hashes) yield* files.stream(hash)
}

/** Gives an upload up. The file of a finished one stays. */
export function endUpload(tx: Tx, { id }: ResumableUpload): void {
  removeParts(tx, id)
  deleteResumable(tx, id)
}

function removeParts(tx: Tx, id: string): void {
  for (const hash of listParts(tx, id)) noteFile(tx, hash)
  deleteParts(tx, id)
}

/**
 * Gives up what has waited for too long.
 *
 * @returns how many; fewer than `most`: nothing more is due
 */
export function endExpired(tx: Tx, most: number): number {
  const expired = listExpired(tx, seconds(tx.clock), most)
  for (const upload of expired) endUpload(tx, upload)
  return expired.length
}
