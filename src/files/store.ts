import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Store } from '#store/write.ts'
import { noteFile } from './actions.ts'
import { clearDrafts, contentsPath, writeContents } from './contents.ts'

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
  /** Removes nothing until the returned function is called: for a backup, which takes its time. */
  hold(): () => void
  isHeld(): boolean
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
    ...createHold(),
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
      return toWeb(Readable.from(part ? [part] : []))
    },
    size: async (hash) => files.get(hash)?.byteLength,
    removeNow: (hash) => void files.delete(hash),
    removeAll: () => files.clear(),
  }
}

/**
 * Contents as files of a folder.
 *
 * @param folder made when it is missing; nobody but its owner may read it
 */
export function createDiskFiles(store: Store, folder: string): FileStore {
  clearDrafts(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const held = createHold()
  // Before it has its name: from then on the clean-up leaves it alone for a while.
  const note = (hash: string) => store.write((tx) => noteFile(tx, hash))
  const putStream: FileStore['putStream'] = (contents, limit) =>
    writeContents(folder, limited(contents, limit), note)
  return {
    ...held,
    put: async (contents) => (await writeContents(folder, Readable.from([contents]), note)).hash,
    putStream,
    read: (hash) => readFile(contentsPath(folder, hash)).catch(missing),
    stream: (hash, range) => toWeb(createReadStream(contentsPath(folder, hash), range)),
    size: (hash) => stat(contentsPath(folder, hash)).then((found) => found.size, missing),
    removeNow: (hash) => rmSync(contentsPath(folder, hash), { force: true }),
    removeAll: () => rmSync(folder, { recursive: true, force: true }),
  }
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
