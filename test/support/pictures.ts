import { deflateSync, inflateSync } from 'node:zlib'

/** Red, green, blue. */
export type Rgb = readonly [number, number, number]

export const red: Rgb = [255, 0, 0]
export const blue: Rgb = [0, 0, 255]

/** A PNG: its left half in one colour, its right half in another. */
export function pngPicture(width = 60, height = 40, left: Rgb = red, right: Rgb = blue): Buffer {
  const row = Buffer.alloc(1 + 3 * width)
  for (let x = 0; x < width; x++) row.set(x < width / 2 ? left : right, 1 + 3 * x)
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  return pngFile(width, height, rows)
}

/** A PNG of a few bytes that says it has this many pixels. */
export function pngBomb(width: number, height: number): Buffer {
  return pngFile(width, height, deflateSync(Buffer.alloc(1000)))
}

function pngFile(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8) // eight bits a channel, RGB
  const parts = [pngChunk('IHDR', header), pngChunk('IDAT', data), pngChunk('IEND')]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

function pngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

function crc32(data: Buffer): number {
  let crc = 0xffffffff
  for (const byte of data) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

/**
 * What a PNG with eight bits a channel and without interlacing shows at a place: red, green and blue,
 * and alpha if it has a palette.
 */
export function pixelOf(png: Uint8Array, x: number, y: number): number[] {
  const bytes = Buffer.from(png)
  const [width, kind] = [bytes.readUInt32BE(16), bytes[25]]
  const channels = kind === 6 ? 4 : kind === 3 ? 1 : 3
  const parts = new Map<string, Buffer>()
  const data: Buffer[] = []
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const part = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at))
    if (type === 'IDAT') data.push(part)
    else parts.set(type, part)
  }
  const raw = inflateSync(Buffer.concat(data))
  const stride = width * channels
  let above: Buffer = Buffer.alloc(stride)
  for (let row = 0; row <= y; row++) {
    const start = row * (stride + 1)
    above = unfilter(raw[start] ?? 0, raw.subarray(start + 1, start + 1 + stride), above, channels)
  }
  const pixel = [...above.subarray(x * channels, x * channels + 3)]
  if (kind !== 3) return pixel
  const [index = 0] = pixel
  const colour = parts.get('PLTE')?.subarray(index * 3, index * 3 + 3) ?? []
  return [...colour, parts.get('tRNS')?.[index] ?? 255]
}

/** @source PNG specification §9.2 */
function unfilter(filter: number, line: Buffer, above: Buffer, channels: number): Buffer {
  const out = Buffer.alloc(line.length)
  for (let i = 0; i < line.length; i++) {
    const a = out[i - channels] ?? 0
    const b = above[i] ?? 0
    const c = i < channels ? 0 : (above[i - channels] ?? 0)
    const p = a + b - c
    const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
    const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c
    const predicted = [0, a, b, (a + b) >> 1, paeth][filter] ?? 0
    out[i] = ((line[i] ?? 0) + predicted) & 255
  }
  return out
}

/**
 * A grey JPEG, black in its left half and white in its right one, both multiples of eight pixels.
 *
 * @param orientation as EXIF has it, 1 to 8
 */
export function jpegPicture(width = 64, height = 32, orientation?: number): Buffer {
  const frame = [8, 0, height, 0, width, 1, 1, 0x11, 0]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(orientation ? [exifSegment(orientation)] : []),
    jpegSegment(0xdb, [0, ...Array.from({ length: 64 }, () => 16)]),
    jpegSegment(0xc0, frame),
    // One code for "the same", one for a difference of seven bits; one for the end of a block.
    jpegSegment(0xc4, [0x00, 1, 1, ...Array.from({ length: 14 }, () => 0), 0, 7]),
    jpegSegment(0xc4, [0x10, 1, ...Array.from({ length: 15 }, () => 0), 0]),
    jpegSegment(0xda, [1, 1, 0, 0, 63, 0]),
    jpegBlocks(width / 8, height / 8),
    Buffer.from([0xff, 0xd9]),
  ])
}

function jpegSegment(marker: number, data: readonly number[]): Buffer {
  return Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255, ...data])
}

function exifSegment(orientation: number): Buffer {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1]
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
  return jpegSegment(0xe1, [...Buffer.from('Exif\0\0', 'latin1'), ...tiff, ...entry, 0, 0, 0, 0])
}

function jpegBlocks(across: number, down: number): Buffer {
  const [black, white, same, end] = ['0111111', '1111111', '0', '0']
  let bits = ''
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const isFirst = x === 0 && y === 0
      const change = isFirst ? black : x === 0 ? '0000000' : x === across / 2 ? white : undefined
      bits += (change ? `10${change}` : same) + end
    }
  }
  const bytes = bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2)) ?? []
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])))
}

/** A GIF of one colour after the other. */
export function gifPicture(width = 20, height = 10, frames = 2): Buffer {
  const size = [width & 255, width >> 8, height & 255, height >> 8]
  const palette = [255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]
  const loop = [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0]
  const each = Array.from({ length: frames }, (_, i) => [
    ...[0x21, 0xf9, 4, 0, 10, 0, 0, 0],
    ...[0x2c, 0, 0, 0, 0, ...size, 0, 2],
    ...gifBlocks(gifCodes(width * height, i % 3)),
    0,
  ])
  return Buffer.from([
    ...Buffer.from('GIF89a'),
    ...[...size, 0x81, 0, 0, ...palette],
    ...(frames > 1 ? loop : []),
    ...each.flat(),
    0x3b,
  ])
}

/** A GIF of one frame that is larger than the screen that the file claims to have. */
export function gifOfSmallScreen(width: number, height: number): Buffer {
  const bytes = gifPicture(20, 10, 1)
  const frame = bytes.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 20, 0, 10, 0]))
  bytes.writeUInt16LE(width, frame + 5)
  bytes.writeUInt16LE(height, frame + 7)
  bytes.writeUInt16LE(1, 6)
  bytes.writeUInt16LE(1, 8)
  return bytes
}

/** LZW codes of three bits that never get longer, because the table is emptied all the time. */
function gifCodes(pixels: number, color: number): number[] {
  const codes: number[] = []
  for (let i = 0; i < pixels; i += 2) codes.push(4, color, ...(i + 1 < pixels ? [color] : []))
  codes.push(5)
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const code of codes) {
    bits |= code << held
    held += 3
    for (; held >= 8; held -= 8) {
      bytes.push(bits & 255)
      bits >>= 8
    }
  }
  return [...bytes, bits]
}

function gifBlocks(bytes: readonly number[]): number[] {
  const blocks: number[] = []
  for (let i = 0; i < bytes.length; i += 255) {
    const block = bytes.slice(i, i + 255)
    blocks.push(block.length, ...block)
  }
  return blocks
}

/** Files that are no pictures, or dangerous ones, by what they are. */
export const hostilePictures: readonly (readonly [string, Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('Not a picture at all, but long enough to have been one.')],
  [
    'an SVG',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  ],
  ['a PNG bomb', pngBomb(60_000, 60_000)],
  ['a PNG of no width', pngBomb(0, 10)],
  ['a PNG of four billion pixels a side', pngBomb(0xffffffff, 0xffffffff)],
  ['a truncated PNG', pngPicture(600, 600, [1, 2, 3], [4, 5, 6]).subarray(0, 60)],
  ['a PNG with too little data', pngBomb(900, 900)],
  ['a truncated JPEG', jpegPicture(64, 32).subarray(0, 120)],
  ['a JPEG that says nothing of its size', Buffer.from([0xff, 0xd8, 0xff, 0xda, ...Array(40)])],
  ['a GIF bomb', gifBomb()],
  ['a GIF bomb in a small screen', gifOfSmallScreen(20_000, 20_000)],
  ['a GIF without frames', gifPicture(20, 10, 0)],
  ['a RIFF file that is no WebP', Buffer.from(`RIFF....WAVE${' '.repeat(40)}`)],
  ['a WebP bomb', webpBomb()],
  [
    'HTML behind the signature of a GIF',
    Buffer.from('GIF89a/*<html>*/=1;alert(document.cookie)//'),
  ],
]

function gifBomb(): Buffer {
  const bytes = gifPicture()
  bytes.fill(0xff, 6, 10)
  return bytes
}

function webpBomb(): Buffer {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1')
  bytes.fill(0xff, 24, 30)
  return bytes
}
