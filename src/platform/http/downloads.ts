import type { Context as HonoContext } from 'hono'
import type { SystemContext } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import { createTally } from '#platform/fairness/tally.ts'
import type { ByteRange } from '#platform/files/store.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { sentSentence } from '#translations/translate.ts'
import { clientAddress } from './client-address.ts'
import { networkOf } from './networks.ts'
import { pacedSubject } from './pacing.ts'

/** The most files that one account or network downloads at a time. */
export const mostDownloads = 100

/** How much of a file is read at a time, in bytes. */
const pieceBytes = 64 * 1024

/** The number of downloads in progress, by account or network. */
const counts = perDatabase(createTally)

/**
 * Streams stored contents, a piece in each turn of the account or network that downloads them. A
 * client that reads slowly keeps a piece in memory and no file open. HEAD gets null, because nothing
 * would read a stream to its end.
 *
 * @param hash of contents that exist
 * @throws RATE_LIMIT_HIT too many downloads at a time
 */
export function streamFile(
  c: HonoContext,
  server: SystemContext,
  hash: string,
  range: ByteRange,
): ReadableStream<Uint8Array> | null {
  return streamPieces(c, server, range, (at, length) => server.files.readPart(hash, at, length))
}

/**
 * The same for what `read` reads, which may also refuse to go on.
 *
 * @param read at most `length` bytes from an offset on; nothing: they are gone
 */
export function streamPieces(
  c: HonoContext,
  server: SystemContext,
  { start, end }: ByteRange,
  read: (at: number, length: number) => Promise<Uint8Array | undefined>,
): ReadableStream<Uint8Array> | null {
  if (c.req.method === 'HEAD') return null
  const subject = pacedSubject(c) || networkOf(clientAddress(server, c))
  const leave = enter(server, subject)
  let at = start
  const nextPiece = async (length: number) => {
    await server.pacing.turn(subject)
    if (length <= 0) return undefined
    const piece = await read(at, length)
    server.pacing.moved(subject, piece?.length ?? 0)
    if (!piece?.length) throw new Error('The contents were removed during the download.')
    return piece
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const length = Math.min(pieceBytes, end + 1 - at)
        const piece = await nextPiece(length).catch((error: unknown) => {
          leave()
          throw error
        })
        if (piece) controller.enqueue(piece)
        at += piece?.length ?? 0
        if (at <= end) return
        leave()
        controller.close()
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  )
}

/** @returns call it when the download has ended, however often */
function enter({ store }: SystemContext, subject: string): () => void {
  const downloads = counts(store)
  if (downloads.of(subject) >= mostDownloads) {
    throw new ApiError('RATE_LIMIT_HIT', sentSentence('Too many downloads at a time'), {
      'retry-after': 1,
    })
  }
  return downloads.hold(subject, 1)
}
