import { createHash } from 'node:crypto'
import { fail } from './repository.ts'

// Signs executables for macOS ad hoc, as `codesign --sign -` and linkers do: with hashes of all pages
// and nobody's name. Without it, macOS on arm64 starts none.
// @source Apple, xnu: EXTERNAL_HEADERS/mach-o/loader.h, osfmk/kern/cs_blobs.h

const headerSize = 32
const magic64 = 0xfeedfacf
const segmentCommand = 0x19
const signatureCommand = 0x1d
const signatureCommandSize = 16

const pageBits = 12
const pageSize = 1 << pageBits
const hashSize = 32
const directorySize = 88
const superBlobSize = 20
const adHoc = 0x2
const linkerSigned = 0x20000
const mainBinary = 1

interface Command {
  readonly type: number
  readonly offset: number
}

interface Segment {
  readonly offset: number
  readonly fileOffset: number
  readonly fileSize: number
}

/**
 * Signs a Mach-O file of 64 bits for one processor. A signature that it has is replaced.
 *
 * @param identifier the name of the program
 * @returns the signed file
 */
export function sign(file: Buffer, identifier: string): Buffer {
  if (file.readUInt32LE(0) !== magic64) fail('Not a Mach-O file of 64 bits.')
  const commands = listCommands(file)
  const own = commands.find(({ type }) => type === signatureCommand)
  const text = findSegment(file, commands, '__TEXT')
  const linkEdit = findSegment(file, commands, '__LINKEDIT')
  const end = own ? file.readUInt32LE(own.offset + 8) : linkEdit.fileOffset + linkEdit.fileSize
  const start = Math.ceil(end / 16) * 16
  const size = signatureSize(start, identifier)
  const signed = Buffer.alloc(start + size)
  file.copy(signed, 0, 0, end)

  const at = own?.offset ?? addCommand(signed, file)
  signed.writeUInt32LE(signatureCommand, at)
  signed.writeUInt32LE(signatureCommandSize, at + 4)
  signed.writeUInt32LE(start, at + 8)
  signed.writeUInt32LE(size, at + 12)
  const linkEditSize = start + size - linkEdit.fileOffset
  const wholePages = BigInt(Math.ceil(linkEditSize / 0x4000) * 0x4000)
  signed.writeBigUInt64LE(wholePages, linkEdit.offset + 32)
  signed.writeBigUInt64LE(BigInt(linkEditSize), linkEdit.offset + 48)

  writeSignature(signed, start, identifier, text)
  return signed
}

/**
 * Whether the hashes in a Mach-O file's signature are those of its pages.
 *
 * @throws Error it has none
 */
export function hasValidSignature(file: Buffer): boolean {
  const own = listCommands(file).find(({ type }) => type === signatureCommand)
  if (!own) return fail('It has no signature.')
  const start = file.readUInt32LE(own.offset + 8)
  const directory = findDirectory(file, start)
  const limit = file.readUInt32BE(directory + 32)
  const size = 1 << file.readUInt8(directory + 39)
  const hashes = directory + file.readUInt32BE(directory + 16)
  const count = file.readUInt32BE(directory + 28)
  if (limit > start || Math.ceil(limit / size) !== count) return false
  return hashPages(file, limit, size).every((hash, i) => {
    const at = hashes + i * hashSize
    return hash.equals(file.subarray(at, at + hashSize))
  })
}

/** Where the directory of code with hashes by SHA-256 begins: there may be one by SHA-1 too. */
function findDirectory(file: Buffer, start: number): number {
  const count = file.readUInt32BE(start + 8)
  for (let i = 0; i < count; i++) {
    const at = start + file.readUInt32BE(start + 16 + i * 8)
    if (file.readUInt32BE(at) === 0xfade0c02 && file.readUInt8(at + 37) === 2) return at
  }
  return fail('Its signature has no hashes by SHA-256.')
}

function listCommands(file: Buffer): Command[] {
  const commands: Command[] = []
  let offset = headerSize
  for (let left = file.readUInt32LE(16); left > 0; left--) {
    commands.push({ type: file.readUInt32LE(offset), offset })
    offset += file.readUInt32LE(offset + 4)
  }
  return commands
}

const nameAt = (file: Buffer, offset: number) =>
  file.toString('latin1', offset, offset + 16).replace(/\0+$/, '')

function findSegment(file: Buffer, commands: readonly Command[], name: string): Segment {
  for (const { type, offset } of commands) {
    if (type !== segmentCommand || nameAt(file, offset + 8) !== name) continue
    const fileOffset = Number(file.readBigUInt64LE(offset + 40))
    return { offset, fileOffset, fileSize: Number(file.readBigUInt64LE(offset + 48)) }
  }
  return fail(`It has no segment ${name}.`)
}

/** Makes room for the command behind the others, and returns where. */
function addCommand(signed: Buffer, file: Buffer): number {
  const size = file.readUInt32LE(20)
  const at = headerSize + size
  const room = file.subarray(at, at + signatureCommandSize)
  if (room.some((byte) => byte !== 0)) fail('There is no room for a signature in its header.')
  signed.writeUInt32LE(file.readUInt32LE(16) + 1, 16)
  signed.writeUInt32LE(size + signatureCommandSize, 20)
  return at
}

const countPages = (limit: number) => Math.ceil(limit / pageSize)

function signatureSize(limit: number, identifier: string): number {
  return superBlobSize + directorySize + identifier.length + 1 + countPages(limit) * hashSize
}

function hashPages(file: Buffer, limit: number, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(limit / size) }, (_, i) =>
    createHash('sha256')
      .update(file.subarray(i * size, Math.min(limit, (i + 1) * size)))
      .digest(),
  )
}

/** Writes the signature of all before `start` there. */
function writeSignature(file: Buffer, start: number, identifier: string, text: Segment): void {
  const size = signatureSize(start, identifier)
  // The blob that holds the others, here only the directory of code.
  const holder = [0xfade0cc0, size, 1, 0, superBlobSize]
  const hashOffset = directorySize + identifier.length + 1
  const numbers = [
    ...holder,
    0xfade0c02,
    size - superBlobSize,
    0x20400,
    adHoc | linkerSigned,
    hashOffset,
    directorySize,
    0,
    countPages(start),
    start,
  ]
  let at = start
  for (const number of numbers) at = file.writeUInt32BE(number, at)
  // The size and kind of the hashes, the platform, and the size of a page.
  for (const byte of [hashSize, 2, 0, pageBits]) at = file.writeUInt8(byte, at)
  // Unused: a spare, scattered pages, a team, a spare, and a limit beyond 4 GB.
  at += 24
  for (const number of [text.fileOffset, text.fileSize, mainBinary]) {
    at = file.writeBigUInt64BE(BigInt(number), at)
  }
  at += file.write(`${identifier}\0`, at, 'latin1')
  for (const hash of hashPages(file, start, pageSize)) at += hash.copy(file, at)
}
