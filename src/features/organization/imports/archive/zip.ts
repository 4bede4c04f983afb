import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { getFileNameLowLevel, openPromise, type Entry as ZipEntry, type ZipFile } from 'yauzl'
import { ApiError, badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'
import { isData, requireHarmless } from './expansion.ts'
import { halfCharacter } from './legacy-names.ts'
import type { ArchiveFile, Listing, Opening } from './listing.ts'
import { mostEntries, safeName } from './names.ts'
import { unpacked, unreadable } from './unpacking.ts'

/** The bits of a Unix mode that say what kind of file it is, and those of a symbolic link. */
const kindOfFile = 0o170000
const symbolicLink = 0o120000
const unixSystem = 3
const stored = 0
const deflated = 8

/**
 * Lists a zip archive by its directory; nothing is unpacked before it is read.
 *
 * @throws BAD_REQUEST it is damaged or made to do harm, or a file of it cannot be unpacked here
 */
export async function listZip(path: string, { notes, signal }: Opening): Promise<Listing> {
  const { size: packed } = await stat(path)
  const zip = await openPromise(path, {
    autoClose: false,
    lazyEntries: true,
    decodeStrings: false,
    validateEntrySizes: true,
  }).catch(damaged)
  const close = async () => zip.close()
  try {
    const entries = new Map<string, ArchiveFile>()
    let total = 0
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted()
      const name = nameOf(entry)
      const safe = safeName(name)
      if (safe === undefined) continue
      // Now, and not after hours, when the import comes to it.
      if (!isReadable(entry)) throw unreadable(safe)
      if (isLink(entry)) notes.skipped('other', 'link-in-archive', safe)
      else if (entries.has(safe)) notes.skipped('other', 'archived-copy', safe)
      else entries.set(safe, readerOf(zip, path, entry, safe))
      if (entries.size > mostEntries) throw badRequest(sentence('The archive has too many files.'))
      requireHarmless(entry.compressedSize, entry.uncompressedSize, isData(safe) ? 'data' : 'other')
      total += entry.uncompressedSize
      requireHarmless(packed, total, 'data')
    }
    return { entries, close }
  } catch (error) {
    zip.close()
    return damaged(error)
  }
}

function damaged(error: unknown = {}): never {
  if (error instanceof ApiError || (error as { name?: string }).name === 'AbortError') throw error
  if ('syscall' in (error as object)) throw error
  throw badRequest(sentence('The archive is damaged or cut off.'))
}

/** Names in UTF-8 often lack the mark that says so; others are as in the first PCs' encoding. */
function nameOf(entry: ZipEntry): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(entry.fileNameRaw)
  } catch {
    const { extraFields, fileNameRaw, generalPurposeBitFlag } = entry
    const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)
    // Beside slashes, a backslash is half a character of an East Asian encoding.
    return name.includes('/') ? name.replaceAll('\\', () => halfCharacter) : name
  }
}

const isReadable = (entry: ZipEntry) =>
  !entry.isEncrypted() && [stored, deflated].includes(entry.compressionMethod)

function isLink({ externalFileAttributes, versionMadeBy }: ZipEntry): boolean {
  return (
    versionMadeBy >>> 8 === unixSystem &&
    ((externalFileAttributes >>> 16) & kindOfFile) === symbolicLink
  )
}

/** Keeps of an entry only what reading it needs: there may be a million. */
function readerOf(zip: ZipFile, path: string, entry: ZipEntry, name: string): ArchiveFile {
  const { compressedSize, compressionMethod, crc32: sum, uncompressedSize: size } = entry
  const { relativeOffsetOfLocalHeader } = entry
  return {
    size,
    async *open() {
      const place = { relativeOffsetOfLocalHeader, compressedSize } as ZipEntry
      const { fileDataStart: start } = await zip
        .readLocalFileHeaderPromise(place, { minimal: true })
        .catch(damaged)
      const unpack = compressionMethod === deflated ? createInflateRaw() : new PassThrough()
      const packed =
        compressedSize === 0
          ? Readable.from([])
          : createReadStream(path, { start, end: start + compressedSize - 1 })
      let length = 0
      let found = 0
      for await (const part of unpacked(packed, unpack, name)) {
        length += part.length
        found = crc32(part, found)
        if (length > size) damaged()
        yield part
      }
      if (length !== size || found !== sum) damaged()
    },
  }
}
