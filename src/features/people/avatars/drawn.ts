import { coverage, shades } from '#platform/coverage.ts'
import { png, type Rgba } from '#platform/png.ts'

/**
 * The gradients of drawn avatars, from the top to the bottom: white text is readable on all of them. The web client
 * has the same in `ui.css`, where it writes initials on them.
 */
export const gradients: readonly (readonly [top: string, bottom: string])[] = [
  ['#0c7f73', '#0a6158'],
  ['#2a72c2', '#1f56a8'],
  ['#5b63d3', '#3f45a6'],
  ['#8a55cf', '#643aa3'],
  ['#b0479f', '#853078'],
  ['#c8446a', '#96294b'],
  ['#c64a3a', '#97301f'],
  ['#a65b18', '#8a4710'],
  ['#876b14', '#6b530a'],
  ['#35772f', '#2a6527'],
  ['#5a7186', '#3d5063'],
  ['#127894', '#0c5a72'],
]

const steps = 15
const white = 0.92

/**
 * Draws the avatar of a user without an uploaded one: a bust on a gradient. It depends on the ID alone,
 * so it reveals neither whether the user exists nor the user's name: apps fetch it without credentials.
 *
 * @param size width and height in pixels
 */
export function drawnAvatar(userId: number, size: number): Buffer {
  const [top = '', bottom = ''] = gradients[userId % gradients.length] ?? []
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
