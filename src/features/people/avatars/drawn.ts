import { coverage, shades } from '#platform/coverage.ts'
import { png, type Rgba } from '#platform/png.ts'
import { faces } from '#shared/tokens.ts'

const steps = 15
const white = 0.92

/**
 * Draws the avatar of a user without an uploaded one: a bust on a gradient. It depends on the ID alone,
 * so it reveals neither whether the user exists nor the user's name: apps fetch it without credentials.
 *
 * @param size width and height in pixels
 */
export function drawnAvatar(userId: number, size: number): Buffer {
  const [top = '', bottom = ''] = faces[userId % faces.length] ?? []
  const palette = Array.from({ length: steps * shades }, (_, i): Rgba => {
    const down = Math.floor(i / shades) / (steps - 1)
    const light = ((i % shades) / (shades - 1)) * white
    const channel = (at: number) => {
      const from = Number.parseInt(top.slice(at, at + 2), 16)
      const ground = from + (Number.parseInt(bottom.slice(at, at + 2), 16) - from) * down
      return Math.round(ground + (255 - ground) * light)
    }
    return [channel(1), channel(3), channel(5), 255]
  })
  const bust = coverage(size, inBust)
  return png(size, palette, (x, y) => Math.floor((y / size) * steps) * shades + bust(x, y))
}

/** A head above shoulders, in a unit square. */
function inBust(x: number, y: number): boolean {
  return (
    Math.hypot(x - 0.5, y - 0.4) <= 0.17 || Math.hypot((x - 0.5) / 0.31, (y - 0.96) / 0.31) <= 1
  )
}
