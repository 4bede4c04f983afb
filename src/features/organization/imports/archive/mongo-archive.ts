import { createReadStream } from 'node:fs'
import { appendFile, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { bsonDocument, bsonFrames } from '#features/organization/imports/reading/bson.ts'
import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'
import type { ArchiveFile, Listing, Opening } from './listing.ts'
import { mostEntries, safeName } from './names.ts'

const magic = Buffer.from([0x6d, 0xe2, 0x99, 0x81])

/** Whether these bytes begin what `mongodump --archive` writes. */
export const isMongoArchive = (start: Uint8Array) => magic.equals(start.subarray(0, magic.length))

/** A collection of a database, whose documents are in a scratch file. */
interface Collection {
  readonly path: string
  size: number
  isWhole: boolean
}

/**
 * Unpacks an archive of MongoDB into files as `mongodump` writes them into a folder, `database/collection.bson`.
 * Several collections are dumped together, so that their documents come in turns.
 *
 * @throws BAD_REQUEST it is damaged or cut off
 * @source mongo-tools, common/archive/spec.md
 */
export async function spoolMongoArchive(
  packed: AsyncIterable<Uint8Array>,
  { scratch, signal }: Opening,
): Promise<Listing> {
  const folder = await mkdtemp(join(scratch, 'dump-'))
  const collections = new Map<string, Collection>()
  const collectionIn = (header: Buffer): Collection | undefined => {
    const { EOF: isWhole, collection, db } = bsonDocument(header) ?? {}
    if (typeof db !== 'string' || typeof collection !== 'string') throw damaged()
    const name = safeName(`${db}/${collection}.bson`)
    if (name === undefined) return undefined
    const path = join(folder, `${collections.size}`)
    const found = collections.get(name) ?? { path, size: 0, isWhole: false }
    collections.set(name, found)
    if (collections.size > mostEntries)
      throw badRequest(sentence('The archive has too many files.'))
    found.isWhole = isWhole === true
    return found
  }
  const stop = () => {
    throw damaged()
  }
  // First come the tool's own documents, then lists, whose first document says what they are of.
  let isOfTool = true
  let current: Collection | undefined
  let isBegun = false
  for await (const frames of bsonFrames(withoutMagic(packed), stop)) {
    signal.throwIfAborted()
    const found = new Map<Collection, Buffer[]>()
    for (const frame of frames) {
      if (frame.length === terminatorLength) {
        isOfTool = false
        isBegun = false
        current = undefined
      } else if (!isOfTool && !isBegun) {
        isBegun = true
        current = collectionIn(frame)
      } else if (current) {
        const known = found.get(current)
        if (known) known.push(frame)
        else found.set(current, [frame])
      }
    }
    for (const [collection, documents] of found) {
      const bytes = Buffer.concat(documents)
      await appendFile(collection.path, bytes, { mode: 0o600 })
      collection.size += bytes.length
    }
  }
  if (isBegun || [...collections.values()].some(({ isWhole }) => !isWhole)) throw damaged()
  const entries = [...collections].map(([name, each]) => [name, fileOf(each)] as const)
  return { entries: new Map(entries) }
}

/** What ends a list is as long as what says how long a document is. */
const terminatorLength = 4

const damaged = () => badRequest(sentence('The archive is damaged or cut off.'))

const fileOf = ({ path, size }: Collection): ArchiveFile => ({
  size,
  open: () => (size === 0 ? Readable.from([]) : createReadStream(path)),
})

async function* withoutMagic(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = magic.length
  for await (const part of packed) {
    if (left < part.length) yield part.subarray(left)
    left = Math.max(0, left - part.length)
  }
}
