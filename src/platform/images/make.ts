import type { FileStore } from '#platform/files/store.ts'
import { badImage } from './errors.ts'
import type { Picture } from './probe.ts'
import { type Target, thumbnail } from './thumbnail.ts'
import { createTurns, type Turn } from './turns.ts'

/** An uploaded picture in the file store, and the account that the work on it counts for. */
export interface Source extends Pick<Turn<unknown>, 'accountId' | 'signal' | 'isJob'> {
  readonly hash: string
  readonly picture: Pick<Picture, 'width' | 'height'>
}

/** One for the process, because there is one decoding thread. */
const turns = createTurns()

/**
 * Makes a thumbnail of an upload when it is its account's turn. The file is read only then, so that
 * waiting work takes no memory.
 *
 * @throws BAD_IMAGE as `thumbnail`; or the file is gone
 * @throws RATE_LIMIT_HIT this account has too much waiting already
 */
export async function makePicture(
  files: FileStore,
  { hash, picture, ...turn }: Source,
  target: Target,
): Promise<Uint8Array> {
  return await turns.take({
    ...turn,
    pixels: picture.width * picture.height,
    async run() {
      const bytes = await files.read(hash)
      if (!bytes) throw badImage()
      return await thumbnail(bytes, target)
    },
  })
}
