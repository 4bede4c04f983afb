import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createGunzip } from 'node:zlib'
import { requireHarmless } from './expansion.ts'
import type { Listing, Opening } from './listing.ts'
import { isMongoArchive, spoolMongoArchive } from './mongo-archive.ts'
import { isTar, spoolTar, tarHeader } from './tar.ts'
import { unpacked } from './unpacking.ts'

/** Opens a gzipped archive, which is unpacked first, or a gzipped file. */
export async function openGzip(path: string, size: number, opening: Opening): Promise<Listing> {
  const start: Uint8Array[] = []
  let length = 0
  for await (const part of unzipped(path)) {
    start.push(part)
    length += part.length
    if (length >= tarHeader) break
  }
  const beginning = Buffer.concat(start)
  if (isTar(beginning)) return await spoolTar(unzipped(path), opening)
  if (isMongoArchive(beginning)) return await spoolMongoArchive(unzipped(path), opening)
  const name = basename(path).replace(/\.gz$/i, '')
  // Its size is only known once it is read: until then, its size on disk counts.
  return { entries: new Map([[name, { size, open: () => unzipped(path) }]]) }
}

/** @throws BAD_REQUEST it is cut off or damaged, or expands beyond all measure */
async function* unzipped(path: string): AsyncGenerator<Uint8Array> {
  const packed = createReadStream(path)
  let length = 0
  for await (const part of unpacked(packed, createGunzip(), basename(path))) {
    length += part.length
    requireHarmless(packed.bytesRead, length, 'data')
    yield part
  }
}
