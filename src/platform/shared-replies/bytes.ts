import { constants, crc32, deflateRawSync } from 'node:zlib'
import { holdsSecret } from '#platform/compressible.ts'
import type { Steps } from '#platform/steps.ts'
import { joinChecksums, shiftOf } from './crc.ts'

/** A text that many replies share: encoded and compressed once. Never with a secret. */
export class SharedText {
  readonly bytes: Buffer
  #deflated: Buffer | undefined
  #sum: Sum | undefined

  constructor(text: string) {
    this.bytes = Buffer.from(text)
  }

  /** As a part of a deflate stream; made when it is first needed. */
  get deflated(): Buffer {
    this.#deflated ??= deflatePart(this.bytes, sharedLevel)
    return this.#deflated
  }

  /** Made when it is first needed. */
  get sum(): Sum {
    this.#sum ??= { checksum: crc32(this.bytes), shift: shiftOf(this.bytes.length) }
    return this.#sum
  }
}

/** What is needed to compute the checksum of a text that contains this one. */
interface Sum {
  readonly checksum: number
  readonly shift: number
}

/** A piece of a reply: what only this reply has, or what it shares. */
export type Piece = string | SharedText

/** What is compressed for a single reply is compressed fast: higher levels save a tenth more. */
export const ownLevel = 1
/** For 20 000 users, level 6 takes four times as long and saves 3 %. */
const sharedLevel = 3
/** Puts bytes into the stream as they are. */
const noLevel = 0

/** Ends on a byte without ending the stream, so that other parts can follow. */
function deflatePart(bytes: Buffer, level: number): Buffer {
  return deflateRawSync(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH })
}

/** The pieces as bytes, without copying what is shared. */
export function plainBytes(pieces: readonly Piece[]): Buffer[] {
  return pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece.bytes))
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** An empty last block. */
const deflateEnd = Buffer.from([3, 0])

/**
 * The pieces as one gzip member, with the compressed form of what is shared, which takes long to make
 * for the first reply.
 *
 * @source RFC 1951, section 3.2.3; RFC 1952, section 2.3
 */
export function* gzipBytes(pieces: readonly Piece[]): Steps<Buffer[]> {
  const parts: Buffer[] = [gzipHeader]
  let checksum = 0
  let size = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      const bytes = Buffer.from(piece)
      checksum = crc32(bytes, checksum)
      size += bytes.length
      parts.push(deflatePart(bytes, levelOf(piece)))
    } else {
      checksum = joinChecksums(checksum, piece.sum.checksum, piece.sum.shift)
      size += piece.bytes.length
      parts.push(piece.deflated)
    }
    yield
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum, 0)
  trailer.writeUInt32LE(size % 2 ** 32, 4)
  return [...parts, deflateEnd, trailer]
}

function levelOf(text: string): number {
  return holdsSecret(text) ? noLevel : ownLevel
}
