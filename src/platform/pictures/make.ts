import { ApiError, badRequest } from '#platform/errors.ts'
import { createFairQueue, NoLongerWanted, TooManyWaiting } from '#platform/fairness/fair-queue.ts'
import type { FileStore } from '#platform/files/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { badPicture } from './errors.ts'
import type { Picture } from './probe.ts'
import { type ThumbnailOptions, thumbnail } from './thumbnail.ts'

/** An uploaded picture in the file store, and the account for which it is processed. */
export interface Source {
  readonly hash: string
  readonly picture: Pick<Picture, 'width' | 'height'>
  /** The ID of the user who waits for their turn. */
  readonly accountId: number
  /** Takes the work out of the queue when aborted. */
  readonly signal?: AbortSignal | undefined
  /** Whether a background job waits: it processes one picture at a time, so it needs no limit. */
  readonly isJob?: boolean | undefined
}

/** How much one account may have waiting. */
const waitingLimits = { pictures: 10, pixels: 256_000_000 } as const

/** One for the process, because there is one decoding thread. */
const queue = createFairQueue({
  waitingPerClient: waitingLimits.pictures,
  waitingCost: waitingLimits.pixels,
})

/**
 * Makes a thumbnail of an upload when it is its account's turn. The file is read only then, so that
 * waiting work takes no memory.
 *
 * @throws BAD_IMAGE as `thumbnail`; or the file is gone
 * @throws RATE_LIMIT_HIT this account has too much waiting already
 * @throws BAD_REQUEST the signal was aborted before the turn came
 */
export async function makePicture(
  files: FileStore,
  { hash, picture, accountId, signal, isJob }: Source,
  target: ThumbnailOptions,
): Promise<Uint8Array> {
  const work = {
    client: String(accountId),
    cost: picture.width * picture.height,
    signal,
    isUnlimited: isJob,
    async run() {
      const bytes = await files.read(hash)
      if (!bytes) throw badPicture()
      return await thumbnail(bytes, target)
    },
  }
  return await queue.run(work).catch((error: unknown) => {
    if (error instanceof TooManyWaiting) throw tooManyPictures()
    // No client sees this error, because it has disconnected.
    if (error instanceof NoLongerWanted) throw badRequest('The request was abandoned.')
    throw error
  })
}

function tooManyPictures(): ApiError {
  return new ApiError(
    'RATE_LIMIT_HIT',
    sentSentence('Too many of your images are waiting to be processed.'),
    {
      'retry-after': 5,
    },
  )
}
