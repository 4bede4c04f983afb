import type { Reason } from '#features/organization/imports/report.ts'

/** In bytes: MongoDB's limit for documents, plus a little that it adds itself. */
const longestDocument = 17 * 1024 * 1024
/** Deeper documents are left out. */
const deepest = 100

/**
 * Times are `Date`, IDs of objects their 24 digits, and bytes `Buffer`; values without a use here
 * are undefined.
 */
export type BsonDocument = { readonly [name: string]: unknown }

/**
 * Reads a file of BSON documents, as `mongodump` writes it, one by one.
 *
 * @param bad called for each document that cannot be used, and if the file is cut off or damaged
 * @source https://bsonspec.org/spec.html
 */
export async function* bsonDocuments(
  body: AsyncIterable<Uint8Array>,
  bad: (reason: Reason) => void,
): AsyncGenerator<BsonDocument> {
  for await (const frames of bsonFrames(body, () => bad('cut-off'))) {
    for (const frame of frames) {
      if (frame.length <= lengthBytes) {
        bad('cut-off')
        return
      }
      const document = bsonDocument(frame)
      if (document) yield document
      else bad('bad-value')
    }
  }
}

/** A document begins with its length, in so many bytes. */
const lengthBytes = 4
/** In archives, this instead of a length ends a list of documents. */
const terminator = -1

/**
 * The bytes of documents that follow each other, as many together as there are. What ends a list is
 * among them, in four bytes.
 *
 * @param cutOff called at the end if it is none, or if what follows is no document
 */
export async function* bsonFrames(
  body: AsyncIterable<Uint8Array>,
  cutOff: () => void,
): AsyncGenerator<Buffer[]> {
  let parts: Buffer[] = []
  let length = 0
  let wanted = lengthBytes
  for await (const part of body) {
    parts.push(Buffer.from(part.buffer, part.byteOffset, part.byteLength))
    length += part.length
    if (length < wanted) continue
    let bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    const found: Buffer[] = []
    for (wanted = lengthBytes; bytes.length >= wanted; wanted = lengthBytes) {
      const size = bytes.readInt32LE(0)
      wanted = size === terminator ? lengthBytes : size
      if (wanted < lengthBytes || wanted > longestDocument) {
        yield found
        cutOff()
        return
      }
      if (bytes.length < wanted) break
      found.push(bytes.subarray(0, wanted))
      bytes = bytes.subarray(wanted)
    }
    yield found
    parts = [Buffer.from(bytes)]
    length = bytes.length
  }
  if (length > 0) cutOff()
}

/** A document; undefined: it is none, or too deep. */
export function bsonDocument(bytes: Buffer): BsonDocument | undefined {
  try {
    const { value, end } = readDocument(bytes, 0, 0)
    return end === bytes.length ? value : undefined
  } catch {
    return undefined
  }
}

interface Read<T> {
  readonly value: T
  /** Where it ends. */
  readonly end: number
}

function readDocument(bytes: Buffer, start: number, depth: number): Read<BsonDocument> {
  const end = start + bytes.readInt32LE(start)
  if (depth > deepest || end > bytes.length || end < start + 5) throw new RangeError()
  const found: [string, unknown][] = []
  let at = start + 4
  while (at < end - 1) {
    const type = bytes.readUInt8(at)
    const nameEnd = bytes.indexOf(0, at + 1)
    if (nameEnd < 0 || nameEnd >= end) throw new RangeError()
    const name = bytes.toString('utf8', at + 1, nameEnd)
    const member = readValue(bytes, type, nameEnd + 1, depth + 1)
    if (member.end > end - 1) throw new RangeError()
    found.push([name, member.value])
    at = member.end
  }
  // Not by assignment: a member may be called `__proto__`.
  return { value: Object.fromEntries(found), end }
}

function readText(bytes: Buffer, at: number): Read<string> {
  const length = bytes.readInt32LE(at)
  const end = at + 4 + length
  if (length < 1 || end > bytes.length) throw new RangeError()
  return { value: bytes.toString('utf8', at + 4, end - 1), end }
}

function readValue(bytes: Buffer, type: number, at: number, depth: number): Read<unknown> {
  switch (type) {
    case 0x01:
      return { value: bytes.readDoubleLE(at), end: at + 8 }
    case 0x02:
    case 0x0d:
    case 0x0e:
      return readText(bytes, at)
    case 0x03:
      return readDocument(bytes, at, depth)
    case 0x04: {
      const { value, end } = readDocument(bytes, at, depth)
      return { value: Object.values(value), end }
    }
    case 0x05:
      return readBytes(bytes, at)
    case 0x07:
      return { value: bytes.toString('hex', at, at + 12), end: at + 12 }
    case 0x08:
      return { value: bytes.readUInt8(at) === 1, end: at + 1 }
    case 0x09:
      return { value: new Date(Number(bytes.readBigInt64LE(at))), end: at + 8 }
    case 0x10:
      return { value: bytes.readInt32LE(at), end: at + 4 }
    case 0x12:
      return { value: Number(bytes.readBigInt64LE(at)), end: at + 8 }
    case 0x0a:
      return { value: null, end: at }
    default:
      return { value: undefined, end: endOfOther(bytes, type, at) }
  }
}

function readBytes(bytes: Buffer, at: number): Read<Buffer> {
  const length = bytes.readInt32LE(at)
  const end = at + 5 + length
  if (length < 0 || end > bytes.length) throw new RangeError()
  return { value: bytes.subarray(at + 5, end), end }
}

/** The end of a value without a use here. @throws RangeError there is no such type */
function endOfOther(bytes: Buffer, type: number, at: number): number {
  switch (type) {
    case 0x06:
    case 0x7f:
    case 0xff:
      return at
    case 0x0b: {
      const pattern = bytes.indexOf(0, at)
      const flags = bytes.indexOf(0, pattern + 1)
      if (pattern < 0 || flags < 0) throw new RangeError()
      return flags + 1
    }
    case 0x0c:
      return readText(bytes, at).end + 12
    case 0x0f: {
      const length = bytes.readInt32LE(at)
      if (length < 4) throw new RangeError()
      return at + length
    }
    case 0x11:
      return at + 8
    case 0x13:
      return at + 16
    default:
      throw new RangeError()
  }
}
