import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import type { Context as HonoContext } from 'hono'
import { badRequest } from '#errors.ts'
import { type FileStore, TooLong } from '#files/store.ts'

/** A file that came with a request; its contents are in the store of files, without a row yet. */
export interface ReceivedFile {
  /** As the client called it, without the folders before it; empty if it did not. */
  readonly name: string
  readonly hash: string
  /** In bytes. */
  readonly size: number
}

/** What may come around the file: other parts, headers and boundaries, in bytes. */
export const multipartOverhead = 64 * 1024

const limits = {
  files: 2,
  fields: 20,
  fieldSize: 1000,
  parts: 22,
  headerPairs: 50,
  headerSize: 8192,
}

/**
 * Puts the one file of a multipart body into the store while it arrives, whatever its part is
 * called: no more of it than a few blocks is in memory.
 *
 * @param limit the most bytes
 * @throws BAD_REQUEST no file, more than one, one that is too large, or a malformed body
 */
export async function receiveFile(
  c: HonoContext,
  store: FileStore,
  limit: number,
): Promise<ReceivedFile> {
  const type = c.req.header('content-type') ?? ''
  const { body } = c.req.raw
  if (!body || !/^multipart\/form-data\b/i.test(type)) throw noFile()
  if (Number(c.req.header('content-length') ?? '0') > limit + multipartOverhead)
    throw tooLarge(limit)
  const parser = parserOf(type)
  const failed = new AbortController()
  let current: BusboyFileStream | undefined
  let received: Promise<ReceivedFile> | undefined
  let files = 0
  parser.on('file', (_part, stream, name?: string) => {
    files += 1
    if (files > 1) {
      stream.on('error', () => {}).resume()
      return
    }
    current = stream
    received = store.putStream(stream, limit).then((kept) => ({ name: name ?? '', ...kept }))
    received.catch(() => failed.abort())
  })
  try {
    await pipeline(Readable.fromWeb(body as NodeStream), parser, { signal: failed.signal })
  } catch {
    if (!failed.signal.aborted) {
      // Otherwise whoever waits for the rest of the file would wait for ever.
      current?.destroy(new Error('The body ended early.'))
      await received?.catch(() => {})
      throw malformed()
    }
  }
  if (files > 1) throw badRequest('You may only upload one file at a time')
  if (!received) throw noFile()
  try {
    return await received
  } catch (error) {
    throw error instanceof TooLong ? tooLarge(limit) : error
  }
}

function parserOf(type: string) {
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
  return badRequest('You must specify a file to upload')
}

function tooLarge(limit: number) {
  return badRequest(
    `Uploaded file is larger than the allowed limit of ${Math.floor(limit / 1024 / 1024)} MiB`,
  )
}
