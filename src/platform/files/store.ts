import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Store } from '#platform/store/store.ts'
import { createLeases, type Leases, markLoose } from './actions.ts'
import { clearDrafts, contentsPath, readPart, writeContents } from './contents.ts'

/** The bytes to read, from 0, both ends inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Stored contents: their hash, and their size in bytes. */
export interface StoredFile {
  readonly hash: string
  readonly size: number
}

/**
 * Stores file contents under the SHA-256 of their bytes (64 hex digits), so identical files are
 * stored once. Rows hold the file's name and who may see it. Contents that no row references are
 * removed after an hour (files/jobs.ts), so after storing contents, write their hash to a column
 * listed in files/queries.ts.
 */
export interface FileStore {
  /** Resolves to the hash once the contents are on disk. */
  put(contents: Uint8Array): Promise<string>
  /**
   * Stores contents of unknown length without holding all of them in memory.
   *
   * @param limit in bytes
   * @throws TooLong the contents are longer than `limit`; nothing is stored
   */
  putStream(contents: AsyncIterable<Uint8Array>, limit: number): Promise<StoredFile>
  /**
   * Like `putStream`, but removes the contents as soon as `use` ends unless a row references them:
   * for contents that may still be refused.
   */
  putFor<T>(
    contents: AsyncIterable<Uint8Array>,
    limit: number,
    use: (stored: StoredFile) => Promise<T>,
  ): Promise<T>
  /** Like `putFor`, for several small contents. */
  putAllFor<T>(
    contents: readonly Uint8Array[],
    use: (hashes: readonly string[]) => Promise<T>,
  ): Promise<T>
  read(hash: string): Promise<Uint8Array | undefined>
  /** The bytes from `start` on, at most `length`: fewer only at the end of the contents. */
  readPart(hash: string, start: number, length: number): Promise<Uint8Array | undefined>
  /** Streams the contents, for the server itself; `streamFile` serves clients. */
  stream(hash: string): ReadableStream<Uint8Array>
  /** In bytes; undefined: no contents with this hash. */
  size(hash: string): Promise<number | undefined>
  /** Suspends removal until the returned function is called, for the duration of a backup. */
  hold(): () => void
  isHeld(): boolean
  /** Only for `sweep`: call it in the write that found the contents unreferenced. */
  removeNow(hash: string): void
  /** Only for a reset: removes everything. */
  removeAll(): void
}

/** The contents are longer than allowed. */
export class TooLong extends Error {}

/** Stores contents in memory, for a server without a data folder. */
export function createMemoryFiles(store: Store): FileStore {
  const files = new Map<string, Uint8Array>()
  const held = createHold()
  const removeNow = (hash: string) => void files.delete(hash)
  const note = (hash: string) => store.write((tx) => markLoose(tx, hash))
  async function keep(contents: AsyncIterable<Uint8Array>, beforeNaming: BeforeNaming) {
    const parts: Uint8Array[] = []
    for await (const part of contents) parts.push(part)
    const whole = Buffer.concat(parts)
    const hash = createHash('sha256').update(whole).digest('hex')
    await beforeNaming(hash)
    files.set(hash, whole)
    return { hash, size: whole.byteLength }
  }
  return {
    ...held,
    put: async (contents) => (await keep(Readable.from([contents]), note)).hash,
    putStream: (contents, limit) => keep(limited(contents, limit), note),
    ...leased(createLeases(store, { ...held, removeNow }), keep),
    read: async (hash) => files.get(hash),
    readPart: async (hash, start, length) => files.get(hash)?.subarray(start, start + length),
    stream(hash) {
      const contents = files.get(hash)
      return toWeb(Readable.from(contents ? [contents] : []))
    },
    size: async (hash) => files.get(hash)?.byteLength,
    removeNow,
    removeAll: () => files.clear(),
  }
}

/**
 * Stores contents as files in a folder.
 *
 * @param folder created if missing, readable only by its owner
 */
export function createDiskFiles(store: Store, folder: string): FileStore {
  clearDrafts(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const held = createHold()
  // Before the rename, so that a pending sweep leaves the file alone for the grace period.
  const note = (hash: string) => store.write((tx) => markLoose(tx, hash))
  const keep: Keep = (contents, beforeNaming) => writeContents(folder, contents, beforeNaming)
  const removeNow = (hash: string) => rmSync(contentsPath(folder, hash), { force: true })
  return {
    ...held,
    put: async (contents) => (await keep(Readable.from([contents]), note)).hash,
    putStream: (contents, limit) => keep(limited(contents, limit), note),
    ...leased(createLeases(store, { ...held, removeNow }), keep),
    read: (hash) => readFile(contentsPath(folder, hash)).catch(missing),
    readPart: (hash, start, length) =>
      readPart(contentsPath(folder, hash), start, length).catch(missing),
    stream: (hash) => toWeb(createReadStream(contentsPath(folder, hash))),
    size: (hash) => stat(contentsPath(folder, hash)).then((found) => found.size, missing),
    removeNow,
    removeAll: () => rmSync(folder, { recursive: true, force: true }),
  }
}

type BeforeNaming = (hash: string) => Promise<void>
type Keep = (contents: AsyncIterable<Uint8Array>, beforeNaming: BeforeNaming) => Promise<StoredFile>

/** Adds leases to a function that stores contents. */
function leased(leases: Leases, keep: Keep): Pick<FileStore, 'putFor' | 'putAllFor'> {
  const putFor: FileStore['putFor'] = async (contents, limit, use) => {
    let lent: string | undefined
    try {
      const stored = await keep(limited(contents, limit), (hash) => {
        lent = hash
        return leases.begin(hash)
      })
      return await use(stored)
    } finally {
      if (lent !== undefined) await leases.end(lent)
    }
  }
  const putAllFor: FileStore['putAllFor'] = async ([first, ...rest], use) => {
    if (!first) return await use([])
    return await putFor(Readable.from([first]), first.byteLength, ({ hash }) =>
      putAllFor(rest, (hashes) => use([hash, ...hashes])),
    )
  }
  return { putFor, putAllFor }
}

function createHold(): Pick<FileStore, 'hold' | 'isHeld'> {
  let holds = 0
  return {
    hold() {
      holds += 1
      return () => {
        holds -= 1
      }
    },
    isHeld: () => holds > 0,
  }
}

async function* limited(contents: AsyncIterable<Uint8Array>, limit: number) {
  let size = 0
  for await (const part of contents) {
    size += part.byteLength
    if (size > limit) throw new TooLong()
    yield part
  }
}

function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
