import { ApiError } from '#errors.ts'
import { noteFile } from '#files/actions.ts'
import { pictureBounds } from '#images/limits.ts'
import { type Picture, probe } from '#images/probe.ts'
import { wakeJobs } from '#jobs/wake.ts'
import { placeholderClass } from '#markdown/previews.ts'
import type { Tx } from '#store/write.ts'
import { deleteUploadPicture, insertPlaceholderMessage, insertUploadPicture } from './queries.ts'

/** Of other pictures there are no thumbnails, and so no previews. */
const pictureTypes = new Set<string>(['image/gif', 'image/jpeg', 'image/png', 'image/webp'])

/** Whether an upload may be a picture of which there are thumbnails, by its name and size. */
export function mayBePicture(contentType: string, size: number): boolean {
  return pictureTypes.has(contentType) && size <= pictureBounds.bytes
}

/** What picture a file holds; undefined for what is none, or too large to be shown. */
export function pictureIn(bytes: Uint8Array): Picture | undefined {
  try {
    return probe(bytes)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** An upload is a picture: its thumbnails are to be made. */
export function addPicture(tx: Tx, attachmentId: number, picture: Picture): void {
  const { width, height, animated } = picture
  insertUploadPicture(tx, { attachmentId, width, height, animated, state: 'pending' })
  wakeJobs(tx)
}

/** An upload is removed, and with it its thumbnails. */
export function removePicture(tx: Tx, attachmentId: number): void {
  for (const hash of deleteUploadPicture(tx, attachmentId)) noteFile(tx, hash)
}

/** A message was sent or edited: if it shows placeholders, it is rendered again later. */
export function awaitThumbnails(tx: Tx, messageId: number, html: string): void {
  if (!html.includes(placeholderClass)) return
  insertPlaceholderMessage(tx, messageId)
  wakeJobs(tx)
}
