import type { Header } from './probe.ts'

/*
 * The headers of picture files. Each reader answers undefined for what is not its format, or what
 * ends before it has said how large it is; none reads beyond the end or goes over a byte twice.
 */

/** @source PNG specification §5 and §11.2.2 */
export function probePng(bytes: Buffer): Header | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** @source ITU-T T.81 §B.1 and §B.2.2 */
export function probeJpeg(bytes: Buffer): Header | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let turned = false
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    // The picture's own data begin, or it ends: nothing said how large it is.
    if (marker === 0xda || marker === 0xd9) return undefined
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7), turned }
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return undefined
    if (marker === 0xe1) turned ||= isTurned(bytes.subarray(at + 4, at + 2 + length))
    at += 2 + length
  }
  return undefined
}

/** Whether EXIF data say that the picture lies on its side. @source EXIF 2.32 §4.6.4, tag 0x0112 */
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
 * A frame may be larger than what the file calls its screen: decoders make room for it.
 *
 * @source GIF89a specification
 */
export function probeGif(bytes: Buffer): Header | undefined {
  if (bytes.length < 13 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined
  const colors = (packed: number) => (packed & 0x80 ? 3 << ((packed & 7) + 1) : 0)
  let at = 13 + colors(bytes[10] ?? 0)
  let [width, height, frames] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8), 0]
  const skipBlocks = () => {
    while (at < bytes.length && bytes[at] !== 0) at += (bytes[at] ?? 0) + 1
    at += 1
  }
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind === 0x21) at += 2
    else if (kind === 0x2c) {
      if (at + 10 > bytes.length) break
      frames += 1
      width = Math.max(width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5))
      height = Math.max(height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7))
      at += 11 + colors(bytes[at + 9] ?? 0)
    } else break
    skipBlocks()
  }
  return { width, height, frames }
}

/** @source WebP container specification; RFC 9649 */
export function probeWebp(bytes: Buffer): Header | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8 ') {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  }
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (kind !== 'VP8X') return undefined
  const size = { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  const isAnimated = ((bytes[20] ?? 0) & 2) !== 0
  return isAnimated ? { ...size, frames: countFrames(bytes) } : size
}

function countFrames(bytes: Buffer): number {
  let frames = 0
  let at = 12
  while (at + 8 <= bytes.length) {
    if (bytes.toString('latin1', at, at + 4) === 'ANMF') frames += 1
    const size = bytes.readUInt32LE(at + 4)
    at += 8 + size + (size & 1)
  }
  return frames
}
