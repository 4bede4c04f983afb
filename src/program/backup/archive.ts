import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type TarEntry, tar } from '#features/organization/exports/tar.ts'
import { seconds } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { badRequest } from '#platform/errors.ts'
import { modernTar } from '#platform/files/lazy.cjs'
import type { Task } from '#platform/task.ts'
import type { Snapshot } from './snapshot.ts'

/** Whether a backup of this name is one compressed file. */
export const isArchive = (path: string) => path.endsWith('.tar.gz')

/** The path of contents in a backup, archived or not. */
const pathOf = (hash: string) => `files/${hash.slice(0, 2)}/${hash.slice(2)}`

/**
 * Packs a snapshot into one compressed file, syncs it to disk, and reads it back.
 *
 * @throws BAD_REQUEST a file, or what was read back, is damaged
 */
export async function writeArchive(
  server: Context,
  snapshot: Snapshot,
  to: string,
  { signal, report }: Task,
): Promise<void> {
  const sums = new Map<string, string>()
  async function* entries(): AsyncIterable<TarEntry> {
    const { database, databaseBytes, present } = snapshot
    const hashed = async function* (path: string, stream: AsyncIterable<Uint8Array>) {
      const digest = createHash('sha256')
      for await (const part of stream) {
        digest.update(part)
        yield part
      }
      sums.set(path, digest.digest('hex'))
    }
    yield {
      path: 'parley.db',
      size: databaseBytes,
      contents: hashed('parley.db', createReadStream(database)),
    }
    for (const [i, { hash, size }] of present.entries()) {
      report('Packing files', i, present.length)
      yield { path: pathOf(hash), size, contents: hashed(pathOf(hash), server.files.stream(hash)) }
      if (sums.get(pathOf(hash)) !== hash) throw badRequest(`The contents ${hash} are damaged.`)
    }
  }
  const packed = Readable.from(tar(entries(), seconds(server.clock)))
  await pipeline(packed, createGzip(), createWriteStream(to, { mode: 0o600, flags: 'wx' }), {
    signal,
  })
  const file = await open(to, 'r+')
  await file.sync().finally(() => file.close())
  report('Reading the archive', 0, 0)
  await requireSame(to, sums, signal)
}

/** Reads an archive to its end, and compares each file in it with what was written. */
async function requireSame(
  archive: string,
  sums: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const left = new Map(sums)
  await readArchive(archive, signal, async (path, contents) => {
    const digest = createHash('sha256')
    for await (const part of contents) digest.update(part)
    if (digest.digest('hex') === left.get(path)) left.delete(path)
  })
  if (left.size > 0) throw badRequest('The archive differs from what was written.')
}

/**
 * Reads the files of an archive one after another.
 *
 * @throws Error the archive is damaged or cut off
 */
export async function readArchive(
  archive: string,
  signal: AbortSignal,
  use: (path: string, contents: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const decoder = modernTar().createTarDecoder({ strict: true })
  const unpacking = pipeline(
    createReadStream(archive),
    createGunzip(),
    Writable.fromWeb(decoder.writable),
    { signal },
  )
  const reading = (async () => {
    for await (const { header, body } of decoder.readable) {
      if (header.type === 'file') await use(header.name, body)
      else await body.cancel()
    }
  })()
  await Promise.all([unpacking, reading])
}
