import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'
import { inUtf8, isText } from './encodings.ts'
import { listFolder } from './folder.ts'
import { openGzip } from './gzip.ts'
import type { ArchiveFile, Listing, Opening } from './listing.ts'
import { isMongoArchive, spoolMongoArchive } from './mongo-archive.ts'
import { lengthOfRoot } from './names.ts'
import { isTar, spoolTar, tarHeader } from './tar.ts'
import { unreadable } from './unpacking.ts'
import { listZip } from './zip.ts'

/**
 * The files of an export, of whatever kind, in a folder, or one file. Paths are the same in whatever
 * form Unicode has them.
 */
export interface Archive {
  /** With slashes between folders, in NFC; without folders that contain everything. Sorted. */
  readonly paths: readonly string[]
  has(path: string): boolean
  /** In bytes; 0 for a file that is missing. */
  size(path: string): number
  /**
   * Reads a file from its beginning, as often as wanted.
   *
   * @throws BAD_REQUEST it is missing or damaged
   */
  read(path: string): AsyncIterable<Uint8Array>
  /** How much of all files was read at least once, in bytes. */
  readonly progress: { readonly done: number; readonly total: number }
  close(): Promise<void>
}

/**
 * Opens a folder, a zip or tar archive or one of MongoDB, gzipped or not, or a single file.
 *
 * @throws BAD_REQUEST there is nothing, it is damaged, or it is made to do harm
 */
export async function openArchive(path: string, opening: Opening): Promise<Archive> {
  const { entries, close = async () => {} } = await list(path, opening)
  if (entries.size === 0)
    throw badRequest(sentence('There are no files in {name}.', { name: path }))
  const rootLength = lengthOfRoot(entries.keys())
  const files = new Map<string, ArchiveFile>()
  for (const [name, entry] of entries) {
    const path = name.slice(rootLength).normalize()
    if (files.has(path)) opening.notes.skipped('other', 'archived-copy', path)
    else files.set(path, entry)
  }
  const seen = new Set<string>()
  let total = 0
  for (const { size } of files.values()) total += size
  const progress = { done: 0, total }
  return {
    paths: [...files.keys()].sort(),
    has: (name) => files.has(name.normalize()),
    size: (name) => files.get(name.normalize())?.size ?? 0,
    async *read(name) {
      const path = name.normalize()
      const entry = files.get(path)
      if (!entry) throw badRequest(sentence('The export has no file {name}.', { name }))
      const counts = !seen.has(path)
      seen.add(path)
      async function* parts(file: ArchiveFile) {
        for await (const part of file.open()) {
          opening.signal.throwIfAborted()
          if (counts) progress.done += part.length
          yield part
        }
      }
      yield* isText(path) ? inUtf8(parts(entry)) : parts(entry)
    },
    progress,
    close,
  }
}

async function list(path: string, opening: Opening): Promise<Listing> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw badRequest(`There is no file or folder ${path}.`)
  if (found.isDirectory()) return await listFolder(path, opening)
  const start = await beginningOf(path)
  if (start.subarray(0, 4).equals(zipMagic)) return await listZip(path, opening)
  if (start.subarray(0, 2).equals(gzipMagic)) return await openGzip(path, found.size, opening)
  if (isTar(start)) return await spoolTar(createReadStream(path), opening)
  if (isMongoArchive(start)) return await spoolMongoArchive(createReadStream(path), opening)
  if (otherPackers.some((each) => start.subarray(0, each.length).equals(each))) {
    throw unreadable(basename(path))
  }
  if (start.subarray(0, 2).equals(emptyZip.subarray(0, 2))) {
    throw badRequest(
      sentence('{name} is only part of a zip archive, or is damaged.', { name: path }),
    )
  }
  const entry: ArchiveFile = { size: found.size, open: () => createReadStream(path) }
  return { entries: new Map([[basename(path), entry]]) }
}

const zipMagic = Buffer.from('PK\x03\x04', 'latin1')
const emptyZip = Buffer.from('PK\x05\x06', 'latin1')
const gzipMagic = Buffer.from([0x1f, 0x8b])
/** What 7-Zip, RAR, xz, Zstandard and bzip2 begin their files with. */
const otherPackers = ['377abcaf271c', '526172211a07', 'fd377a585a00', '28b52ffd', '425a68'].map(
  (each) => Buffer.from(each, 'hex'),
)

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(tarHeader), 0, tarHeader, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
