import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { BusboyFileStream } from '@fastify/busboy'
import type { Context as HonoContext } from 'hono'
import { badRequest } from '#platform/errors.ts'
import { type FileStore, TooLong } from '#platform/files/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { busboy } from './lazy.cjs'

/** An uploaded file; its contents are in the file store, but no row refers to them yet. */
export interface ReceivedFile {
  /** The client's file name without folders; empty if it sent none. */
  readonly name: string
  readonly hash: string
  /** In bytes. */
  readonly size: number
}

/** Room for other parts, headers and boundaries of the body, in bytes. */
export const multipartOverhead = 64 * 1024

const limits = {
  files: 2,
  fields: 20,
  fieldSize: 1000,
  parts: 22,
  headerPairs: 50,
  headerSize: 8192,
}

/** Limits on what may arrive. */
export interface Reception {
  /** The largest size of the file, in bytes. */
  readonly limit: number
  /** Called with the size of each piece before it is written, in bytes. @throws to refuse it */
  readonly count: (bytes: number) => void
}

/**
 * Streams the one file of a multipart body, under any part name, into the file store. Only a few
 * blocks of it are in memory at a time. A file that is refused, or that `use` leaves without a row,
 * is removed immediately.
 *
 * @param use what to do with the file once the whole body has arrived
 * @throws BAD_REQUEST no file, more than one, one that is too large, or a malformed body
 */
export async function receiveFile<T>(
  c: HonoContext,
  store: FileStore,
  { limit, count }: Reception,
  use: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  const type = c.req.header('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) throw noFile()
  if (Number(c.req.header('content-length') ?? '0') > limit + multipartOverhead)
    throw tooLarge(limit)
  const parser = parserOf(type)
  // Not earlier, because the body of a request that is refused unread is skipped, and its
  // connection stays open.
  const { body } = c.req.raw
  if (!body) throw noFile()
  const failed = new AbortController()
  let current: BusboyFileStream | undefined
  let outcome: Promise<T> | undefined
  let files = 0
  parser.on('file', (_part, stream, name?: string) => {
    files += 1
    // The parser emits errors on parts that nobody reads yet, and these would end the process.
    stream.on('error', (error: Error) => stream.destroy(error))
    if (files > 1) {
      stream.resume()
      return
    }
    current = stream
    outcome = store.putFor(counted(stream, count), limit, async (stored) => {
      await parsed
      if (files > 1) throw badRequest(sentSentence('You may only upload one file at a time'))
      return await use({ name: unescaped(name ?? ''), ...stored })
    })
    outcome.catch(() => failed.abort())
  })
  const parsed = pipeline(Readable.fromWeb(body as NodeStream), parser, { signal: failed.signal })
  try {
    await parsed
  } catch {
    if (!failed.signal.aborted) {
      // Otherwise `outcome` would wait forever for the rest of the file.
      current?.destroy(new Error('The body ended early.'))
      await outcome?.catch(() => {})
      throw malformed()
    }
  }
  if (!outcome) throw noFile()
  try {
    return await outcome
  } catch (error) {
    throw error instanceof TooLong ? tooLarge(limit) : error
  }
}

/** Browsers escape quotation marks and line ends in the name of a file, and nothing else. */
function unescaped(name: string): string {
  return name.replace(/%(?:22|0D|0A)/g, (escaped) => decodeURIComponent(escaped))
}

async function* counted(contents: AsyncIterable<Uint8Array>, count: Reception['count']) {
  for await (const part of contents) {
    count(part.byteLength)
    yield part
  }
}

function parserOf(type: string) {
  // Node's own parser, which reads all other bodies faster, would hold the file whole in memory.
  const { Busboy } = busboy()
  try {
    return new Busboy({ headers: { 'content-type': type }, limits })
  } catch {
    throw malformed()
  }
}

function malformed() {
  return badRequest('The multipart body is malformed.')
}

function noFile() {
  return badRequest(sentSentence('You must specify a file to upload'))
}

function tooLarge(limit: number) {
  return badRequest(
    sentSentence('Uploaded file is larger than the allowed limit of {count} MiB', {
      count: Math.floor(limit / 1024 / 1024),
    }),
  )
}
