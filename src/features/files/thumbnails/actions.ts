import { ApiError } from '#platform/errors.ts'
import { releaseFile } from '#platform/files/actions.ts'
import type { FileStore, StoredFile } from '#platform/files/store.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import { placeholderClass } from '#platform/markdown/previews.ts'
import { pictureBounds } from '#platform/pictures/limits.ts'
import { type Picture, probeFile } from '#platform/pictures/probe.ts'
import { partsOf } from '#platform/pictures/received.ts'
import type { Tx } from '#platform/store/store.ts'
import { deleteUploadPicture, insertPlaceholderMessage, insertUploadPicture } from './queries.ts'

/** The types of images that get thumbnails, and therefore previews. */
const pictureTypes = new Set<string>(['image/gif', 'image/jpeg', 'image/png', 'image/webp'])

/** Whether an upload may be an image with thumbnails, by its type and size. */
export function mayBePicture(contentType: string, size: number): boolean {
  return pictureTypes.has(contentType) && size <= pictureBounds.bytes
}

/**
 * The properties of a stored image; undefined if it is not an image, or too large for thumbnails.
 */
export async function pictureIn(
  files: FileStore,
  { hash, size }: StoredFile,
): Promise<Picture | undefined> {
  try {
    return await probeFile(size, partsOf(files, hash))
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Records that an upload is an image, and queues its thumbnails. */
export function addPicture(tx: Tx, attachmentId: number, picture: Picture): void {
  const { width, height, animated } = picture
  insertUploadPicture(tx, { attachmentId, width, height, animated, state: 'pending' })
  wakeJobs(tx)
}

/** Removes the thumbnails of an upload. */
export function removePicture(tx: Tx, attachmentId: number): void {
  for (const hash of deleteUploadPicture(tx, attachmentId)) releaseFile(tx, hash)
}

/** Queues a new or edited message to be rendered again if it contains placeholders. */
export function awaitThumbnails(tx: Tx, messageId: number, html: string): void {
  if (!html.includes(placeholderClass)) return
  insertPlaceholderMessage(tx, messageId)
  wakeJobs(tx)
}
