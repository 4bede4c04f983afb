import { png, type Rgba } from '#platform/png.ts'

const blue = [74, 108, 247] as const
const shades = 16

/** A gradient from blue to white. */
const palette = Array.from({ length: shades }, (_, i): Rgba => {
  const mix = (from: number) => Math.round(from + ((255 - from) * i) / (shades - 1))
  return [mix(blue[0]), mix(blue[1]), mix(blue[2]), 255]
})

const drawn = new Map<number, Buffer>()

/**
 * The icon of an organization that uploaded none: a white speech bubble on blue.
 *
 * @param size width and height in pixels
 */
export function iconPng(size: number): Buffer {
  let image = drawn.get(size)
  if (!image) {
    image = png(size, palette, (x, y) => Math.round(coverage(x, y, size) * (shades - 1)))
    drawn.set(size, image)
  }
  return image
}

/** The part of a pixel that the bubble covers, 0 to 1, sampled at 16 points. */
function coverage(x: number, y: number, size: number): number {
  let inside = 0
  for (let i = 0; i < 16; i++) {
    const px = (x + ((i % 4) + 0.5) / 4) / size
    const py = (y + (Math.floor(i / 4) + 0.5) / 4) / size
    if (inBubble(px, py)) inside += 1
  }
  return inside / 16
}

/** A rounded box with a tail and three dots cut out, in a unit square. */
function inBubble(x: number, y: number): boolean {
  for (const dot of [0.34, 0.5, 0.66]) {
    if (Math.hypot(x - dot, y - 0.44) < 0.05) return false
  }
  const inTail = y > 0.6 && y < 0.84 && x > 0.28 && x < 0.28 + (0.84 - y) * 0.9
  const dx = Math.max(0, Math.abs(x - 0.5) - 0.18)
  const dy = Math.max(0, Math.abs(y - 0.44) - 0.08)
  return inTail || Math.hypot(dx, dy) < 0.16
}
