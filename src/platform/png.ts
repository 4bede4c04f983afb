import { crc32, deflateSync } from 'node:zlib'

/** A color: red, green, blue and alpha, each from 0 to 255. */
export type Rgba = readonly [number, number, number, number]

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * Encodes a drawing as a PNG with a palette.
 *
 * @param size width and height, in pixels
 * @param palette at most 256 colors
 * @param colorAt returns the palette index of a pixel
 */
export function png(
  size: number,
  palette: readonly Rgba[],
  colorAt: (x: number, y: number) => number,
): Buffer {
  const rows = Buffer.alloc(size * (size + 1))
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) rows[y * (size + 1) + 1 + x] = colorAt(x, y)
  }
  return Buffer.concat([
    signature,
    headerChunk(size, size, colorTypes.palette),
    chunk('PLTE', Buffer.from(palette.flatMap((color) => color.slice(0, 3)))),
    chunk('tRNS', Buffer.from(palette.map(([, , , a]) => a))),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Encodes a picture in full color. @param pixels red, green and blue of each, row by row */
export function rgbPng(width: number, height: number, pixels: Uint8Array): Buffer {
  const stride = width * 3
  const rows = Buffer.alloc(height * (stride + 1))
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1)
  }
  return Buffer.concat([
    signature,
    headerChunk(width, height, colorTypes.rgb),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const colorTypes = { rgb: 2, palette: 3 } as const

function headerChunk(width: number, height: number, colorType: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colorType], 8) // eight bits a channel
  return chunk('IHDR', header)
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}
