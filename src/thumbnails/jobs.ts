import { findAttachmentById } from '#attachments/queries.ts'
import type { Context } from '#context.ts'
import { ApiError } from '#errors.ts'
import { type Target, thumbnail } from '#images/thumbnail.ts'
import type { Job } from '#jobs/jobs.ts'
import { thumbnailFormats } from './formats.ts'
import {
  findUploadPicture,
  insertThumbnail,
  nextPending,
  nextSettledMessage,
  type Thumbnail,
  updateUploadPicture,
} from './queries.ts'
import { rerender } from './rerendering.ts'

/** Makes the thumbnails of uploaded pictures, and shows them in the messages that wait for them. */
export const makeThumbnails: Job = {
  name: 'make thumbnails',
  dueAt(read) {
    const isDue = nextPending(read) !== undefined || nextSettledMessage(read) !== undefined
    return isDue ? 0 : undefined
  },
  async run(server, stopping) {
    while (!stopping.aborted) {
      await showSettled(server)
      const next = nextPending(server.store)
      if (next === undefined) return
      await makeAll(server, next)
    }
  },
}

async function showSettled(server: Context): Promise<void> {
  for (;;) {
    const next = nextSettledMessage(server.store)
    if (next === undefined) return
    await rerender(server, next)
  }
}

async function makeAll({ store, files }: Context, attachmentId: number): Promise<void> {
  const file = findAttachmentById(store, attachmentId)
  const bytes = file && (await files.read(file.fileHash))
  const isAnimated = findUploadPicture(store, attachmentId)?.animated ?? false
  const made: (Thumbnail & { animated: boolean })[] = []
  for (const { name, animated, maxWidth, maxHeight } of thumbnailFormats) {
    if (!bytes || (animated && !isAnimated)) continue
    const picture = await makeOne(bytes, {
      width: maxWidth,
      height: maxHeight,
      fit: 'inside',
      animated,
      format: 'webp',
    })
    if (!picture) continue
    made.push({ attachmentId, format: name, animated, fileHash: await files.put(picture) })
  }
  await store.write((tx) => {
    // It may have been deleted meanwhile.
    if (!findUploadPicture(tx, attachmentId)) return
    for (const { animated: _, ...thumbnail } of made) insertThumbnail(tx, thumbnail)
    updateUploadPicture(tx, attachmentId, {
      state: made.some(({ animated }) => !animated) ? 'ready' : 'failed',
      animated: made.some(({ animated }) => animated),
    })
  })
}

/** Undefined for what turns out not to be a picture, or takes too long, as an animation may. */
async function makeOne(bytes: Uint8Array, target: Target): Promise<Uint8Array | undefined> {
  try {
    return await thumbnail(bytes, target)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
