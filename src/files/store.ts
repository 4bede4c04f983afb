import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { Store } from '#store/write.ts'
import { noteFile } from './actions.ts'

/** Where in the contents to read: both ends count, from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The contents of files, named by the SHA-256 of their bytes, in 64 hexadecimal digits: the same
 * bytes are kept once. Rows say what a file is called and who may see it; contents that no row
 * names any longer are removed an hour later (files/jobs.ts). So whoever puts contents has to
 * name them in a row of a column that files/queries.ts lists.
 */
export interface FileStore {
  /** Resolves to the hash once the contents are on disk. */
  put(contents: Uint8Array): Promise<string>
  /**
   * The same for contents of unknown length, which are never in memory as a whole.
   *
   * @throws TooLong when there are more than `limit` bytes; nothing is kept then
   */
  putStream(
    contents: AsyncIterable<Uint8Array>,
    limit: number,
  ): Promise<{ readonly hash: string; readonly size: number }>
  read(hash: string): Promise<Uint8Array | undefined>
  /** The contents, or a part that lies in them. */
  stream(hash: string, range?: ByteRange): ReadableStream<Uint8Array>
  /** In bytes; undefined: there are no such contents. */
  size(hash: string): Promise<number | undefined>
  /** Only for the clean-up: within the write that has found that nothing names the contents. */
  removeNow(hash: string): void
  /** Only for a reset: removes everything. */
  removeAll(): void
}

/** The contents are longer than allowed. */
export class TooLong extends Error {}

/** Contents in memory, for a server that keeps nothing. */
export function createMemoryFiles(store: Store): FileStore {
  const files = new Map<string, Uint8Array>()
  async function keep(contents: Uint8Array): Promise<string> {
    const hash = createHash('sha256').update(contents).digest('hex')
    await store.write((tx) => noteFile(tx, hash))
    files.set(hash, contents)
    return hash
  }
  return {
    put: (contents) => keep(new Uint8Array(contents)),
    async putStream(contents, limit) {
      const parts: Uint8Array[] = []
      for await (const part of limited(contents, limit)) parts.push(part)
      const whole = Buffer.concat(parts)
      return { hash: await keep(whole), size: whole.byteLength }
    },
    read: async (hash) => files.get(hash),
    stream(hash, range) {
      const part = files.get(hash)?.subarray(range?.start, range && range.end + 1)
      return Readable.toWeb(Readable.from(part ? [part] : [])) as ReadableStream<Uint8Array>
    },
    size: async (hash) => files.get(hash)?.byteLength,
    removeNow: (hash) => void files.delete(hash),
    removeAll: () => files.clear(),
  }
}

/**
 * Contents as files of a folder: `ab/cdef…`. Each is written under another name, forced to disk
 * and renamed, so that what has its name is whole, whenever the machine stops.
 *
 * @param folder made when it is missing; nobody but its owner may read it
 */
export function createDiskFiles(store: Store, folder: string): FileStore {
  const incoming = join(folder, 'incoming')
  // What an earlier process had not finished.
  rmSync(incoming, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })

  async function putStream(contents: AsyncIterable<Uint8Array>, limit: number) {
    await mkdir(incoming, { recursive: true, mode: 0o700 })
    const draft = join(incoming, randomBytes(16).toString('hex'))
    const file = await open(draft, 'wx', 0o600)
    try {
      const { hash, size } = await writeAll(file, limited(contents, limit)).finally(() =>
        file.close(),
      )
      const path = pathOf(folder, hash)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // Before the rename: from here on the clean-up leaves these contents alone for a while.
      await store.write((tx) => noteFile(tx, hash))
      await rename(draft, path)
      await syncFolder(dirname(path))
      return { hash, size }
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  return {
    put: async (contents) =>
      (await putStream(Readable.from([contents]), Number.POSITIVE_INFINITY)).hash,
    putStream,
    read: (hash) => readFile(pathOf(folder, hash)).catch(missing),
    stream: (hash, range) =>
      Readable.toWeb(createReadStream(pathOf(folder, hash), range)) as ReadableStream<Uint8Array>,
    size: (hash) => stat(pathOf(folder, hash)).then((found) => found.size, missing),
    removeNow: (hash) => rmSync(pathOf(folder, hash), { force: true }),
    removeAll: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Where the contents of a hash are in a folder of contents. */
function pathOf(folder: string, hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('Not the name of contents.')
  return join(folder, hash.slice(0, 2), hash.slice(2))
}

async function writeAll(file: FileHandle, contents: AsyncIterable<Uint8Array>) {
  const digest = createHash('sha256')
  let size = 0
  for await (const part of contents) {
    digest.update(part)
    size += part.byteLength
    await file.writeFile(part)
  }
  await file.sync()
  return { hash: digest.digest('hex'), size }
}

async function* limited(contents: AsyncIterable<Uint8Array>, limit: number) {
  let size = 0
  for await (const part of contents) {
    size += part.byteLength
    if (size > limit) throw new TooLong()
    yield part
  }
}

/** A rename is on disk when its folder is. Where folders cannot be opened, the system sees to it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
