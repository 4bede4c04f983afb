import { type Attachment, findAttachmentById } from '#features/files/attachments/queries.ts'
import { type ThumbnailFormat, thumbnailFormats } from '#features/files/thumbnails/formats.ts'
import {
  findUploadPicture,
  insertThumbnail,
  nextPending,
  nextSettledMessage,
  type UploadPicture,
  updateUploadPicture,
} from '#features/files/thumbnails/queries.ts'
import { seconds } from '#platform/clock.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { makePicture } from '#platform/pictures/make.ts'
import { rerender } from './actions.ts'

/** Makes the thumbnails of uploaded pictures, and updates the messages that wait for them. */
export const makeThumbnails: Job = {
  name: 'make thumbnails',
  dueAt(read) {
    const isDue = nextPending(read) !== undefined || nextSettledMessage(read) !== undefined
    return isDue ? seconds(read.clock) : undefined
  },
  async run(server, stopping) {
    let lastOwner = 0
    while (!stopping.aborted) {
      await showSettled(server, stopping)
      if (stopping.aborted) return
      const next = nextPending(server.store, lastOwner)
      if (next === undefined) return
      await makeAll(server, next.id)
      lastOwner = next.ownerId
    }
  },
}

async function showSettled(server: SystemContext, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const next = nextSettledMessage(server.store)
    if (next === undefined) return
    await rerender(server, next)
  }
}

async function makeAll({ store, files }: SystemContext, attachmentId: number): Promise<void> {
  const file = findAttachmentById(store, attachmentId)
  const picture = findUploadPicture(store, attachmentId)
  const made: { format: ThumbnailFormat; bytes: Uint8Array }[] = []
  for (const format of thumbnailFormats) {
    if (!file || !picture || (format.animated && !picture.animated)) continue
    const bytes = await makeOne(files, file, picture, format)
    if (bytes) made.push({ format, bytes })
  }
  const contents = made.map(({ bytes }) => bytes)
  await files.putAllFor(contents, (hashes) =>
    store.write((tx) => {
      // The upload may have been deleted in the meantime.
      if (!findUploadPicture(tx, attachmentId)) return
      for (const [i, { format }] of made.entries()) {
        insertThumbnail(tx, { attachmentId, format: format.name, fileHash: hashes[i] ?? '' })
      }
      updateUploadPicture(tx, attachmentId, {
        state: made.some(({ format }) => !format.animated) ? 'ready' : 'failed',
        animated: made.some(({ format }) => format.animated),
      })
    }),
  )
}

/** Undefined if the file turns out not to be a picture, or takes too long, as an animation may. */
async function makeOne(
  files: FileStore,
  { fileHash, ownerId }: Attachment,
  picture: UploadPicture,
  { maxWidth, maxHeight, animated }: ThumbnailFormat,
): Promise<Uint8Array | undefined> {
  const source = { hash: fileHash, accountId: ownerId, picture, isJob: true }
  const size = { width: maxWidth, height: maxHeight, fit: 'inside' } as const
  try {
    return await makePicture(files, source, { ...size, animated, format: 'webp' })
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
