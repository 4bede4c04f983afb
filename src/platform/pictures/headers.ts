/*
 * Readers for the headers of picture files. Each gets the first piece of a file, and returns undefined
 * for another format, or if the file ends before its dimensions. None reads past the end, and each
 * takes linear time.
 */

/**
 * Reads on in a file: yields the position to continue at, and gets the bytes from there, at least
 * `pieceBytes` unless the file ends before.
 */
export type HeaderWalk = Generator<number, Header | undefined, Buffer>

/** How much of a file is in memory at a time: more than the longest part that is read whole. */
export const pieceBytes = 128 * 1024

/** Whether a piece ends before the `needed` bytes at a position, although the file may not. */
function isShort(piece: Buffer, at: number, needed: number): boolean {
  return at + needed > piece.length && piece.length >= pieceBytes
}

/** @source PNG specification §5, §8 and §11.2.2 */
export function probePng(bytes: Buffer): Header | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const [depth = 8, color = 6, , , interlaced = 0] = bytes.subarray(24, 29)
  const channels = [1, 1, 3, 1, 2, 2, 4][color] ?? 4
  // The rows of an interlaced picture are complete only at its end.
  const heldBytes = interlaced ? width * height * channels * Math.ceil(depth / 8) : 0
  return { width, height, heldBytes }
}

/** @source ITU-T T.81 §B.1 and §B.2.2 */
export function probeJpeg(head: Buffer): HeaderWalk | undefined {
  if (head.length < 4 || head.readUInt16BE(0) !== 0xffd8) return undefined
  return walkJpeg(head)
}

/** In bytes, with its marker. */
const longestSegment = 2 + 0xffff

function* walkJpeg(head: Buffer): HeaderWalk {
  let [bytes, start, at] = [head, 0, 2]
  let turned = false
  for (;;) {
    if (isShort(bytes, at, longestSegment)) {
      start += at
      bytes = yield start
      at = 0
    }
    if (at + 9 >= bytes.length || bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    // The picture data starts, or the picture ends, without a header that gives the dimensions.
    if (marker === 0xda || marker === 0xd9) return undefined
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)]
      // The coefficients of a progressive picture are complete only at its end.
      const isProgressive = (marker & 3) === 2
      const heldBytes = isProgressive ? width * height * coefficientBytes(bytes, at + 9) : 0
      return { height, width, heldBytes, turned }
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return undefined
    if (marker === 0xe1) turned ||= isTurned(bytes.subarray(at + 4, at + 2 + length))
    at += 2 + length
  }
}

/** The size of a JPEG's coefficients per pixel, in bytes. @param at the number of components */
function coefficientBytes(bytes: Buffer, at: number): number {
  const count = bytes[at] ?? 0
  const samples = Array.from({ length: count }, (_, i) => {
    const factors = bytes[at + 2 + 3 * i] ?? 0x11
    return { across: factors >> 4, down: factors & 15 }
  })
  const most = (of: 'across' | 'down') => Math.max(1, ...samples.map((each) => each[of]))
  const all = samples.reduce((sum, { across, down }) => sum + across * down, 0)
  return (2 * all) / (most('across') * most('down'))
}

/** Whether EXIF data rotates the picture by 90° or 270°. @source EXIF 2.32 §4.6.4, tag 0x0112 */
function isTurned(exif: Buffer): boolean {
  if (exif.length < 16 || exif.toString('latin1', 0, 6) !== 'Exif\0\0') return false
  const tiff = exif.subarray(6)
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => {
    if (at + 2 > tiff.length) return 0
    return little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  }
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const entries = short(directory)
  for (let i = 0; i < entries && directory + 12 * i < tiff.length; i++) {
    const entry = directory + 2 + 12 * i
    if (short(entry) === 0x0112) return short(entry + 8) >= 5 && short(entry + 8) <= 8
  }
  return false
}

/**
 * A frame may be larger than the logical screen, and decoders allocate memory for it, so the
 * dimensions are those of the largest frame.
 *
 * @source GIF89a specification
 */
export function probeGif(head: Buffer): HeaderWalk | undefined {
  if (head.length < 13 || !/^GIF8[79]a$/.test(head.toString('latin1', 0, 6))) return undefined
  return walkGif(head)
}

function* walkGif(head: Buffer): HeaderWalk {
  const colors = (packed: number) => (packed & 0x80 ? 3 << ((packed & 7) + 1) : 0)
  let [bytes, start, at] = [head, 0, 13 + colors(head[10] ?? 0)]
  let [width, height, frames] = [head.readUInt16LE(6), head.readUInt16LE(8), 0]
  let inBlocks = false
  for (;;) {
    if (isShort(bytes, at, 10)) {
      start += at
      bytes = yield start
      at = 0
    }
    const kind = bytes[at]
    if (inBlocks) {
      inBlocks = kind !== undefined && kind !== 0
      at += (kind ?? 0) + 1
      continue
    }
    if (kind === 0x21) at += 2
    else if (kind === 0x2c) {
      if (at + 10 > bytes.length) break
      frames += 1
      width = Math.max(width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5))
      height = Math.max(height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7))
      at += 11 + colors(bytes[at + 9] ?? 0)
    } else break
    inBlocks = true
  }
  // The frame, the canvas it is drawn on, and the copy to restore the canvas from.
  return { width, height, frames, heldBytes: 5 * width * height }
}

/** @source WebP container specification; RFC 9649 */
export function probeWebp(bytes: Buffer): Header | HeaderWalk | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8 ') {
    return sizeOfWebp(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
  }
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21)
    return sizeOfWebp((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
  }
  if (kind !== 'VP8X') return undefined
  const size = sizeOfWebp(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
  const isAnimated = ((bytes[20] ?? 0) & 2) !== 0
  return isAnimated ? walkWebp(bytes, size) : size
}

/** A frame is decoded whole, and copied once. */
function sizeOfWebp(width: number, height: number): Header {
  return { width, height, heldBytes: 8 * width * height }
}

function* walkWebp(head: Buffer, size: Header): HeaderWalk {
  let [bytes, start, at] = [head, 0, 12]
  let frames = 0
  for (;;) {
    if (isShort(bytes, at, 8)) {
      start += at
      bytes = yield start
      at = 0
    }
    if (at + 8 > bytes.length) return { ...size, frames }
    if (bytes.toString('latin1', at, at + 4) === 'ANMF') frames += 1
    const length = bytes.readUInt32LE(at + 4)
    at += 8 + length + (length & 1)
  }
}

/** The dimensions as stored, whether EXIF turns the picture on its side, and the number of frames. */
export interface Header {
  readonly width: number
  readonly height: number
  /**
   * The memory that decoding takes, in bytes; 0 if the decoder needs only a few rows at a time.
   */
  readonly heldBytes: number
  readonly turned?: boolean
  readonly frames?: number
}
