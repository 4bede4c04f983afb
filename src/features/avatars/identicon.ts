import { createHash } from 'node:crypto'
import { png, type Rgba } from '#platform/png.ts'

const cells = 5
const background: Rgba = [240, 240, 242, 255]

/**
 * Draws the avatar of a user without an uploaded one: a symmetric pattern in one colour. It depends
 * on the ID alone, so it does not reveal whether the user exists.
 *
 * @param size width and height in pixels, a multiple of five
 */
export function identicon(userId: number, size: number): Buffer {
  const bits = createHash('sha256').update(`avatar ${userId}`).digest()
  const cell = size / cells
  return png(size, [background, color(bits.readUInt16BE(30))], (x, y) => {
    const column = Math.floor(x / cell)
    const mirrored = Math.min(column, cells - 1 - column)
    return (bits[mirrored * cells + Math.floor(y / cell)] ?? 0) & 1
  })
}

/** One of 360 hues with equal saturation and lightness. */
function color(seed: number): Rgba {
  const channel = (shift: number) => {
    const k = (shift + (seed % 360) / 30) % 12
    return Math.round(255 * (0.5 - 0.29 * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [channel(0), channel(8), channel(4), 255]
}
