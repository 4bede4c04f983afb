import { coverage, shades } from '#platform/coverage.ts'
import { once } from '#platform/memo.ts'
import { png, type Rgba } from '#platform/png.ts'
import { colors } from '#shared/tokens.ts'

/**
 * The product's mark: a P whose bowl is a speech bubble and whose stem is its tail. In a unit square
 * of 100 by 100, for SVG; `inMark` says the same for pictures of pixels.
 */
export const markPath =
  'M27 25a7 7 0 0 1 7-7h18a26 26 0 0 1 0 52h-5.5L31.1 82.45A2.5 2.5 0 0 1 27 80.5z' +
  'M52 33a11 11 0 1 0 0 22a11 11 0 1 0 0-22z'

/** The product's color, as `--accent` in the light theme. */
export const brandColor = colors.accent.light

/** How an icon fills its square. */
export type IconKind =
  /** A tile with round corners, and nothing around it: for tabs, pages and home screens. */
  | 'tile'
  /** To the edges, with a smaller mark: systems cut it into a shape of their own. */
  | 'maskable'
  /** The mark alone, in white: systems that want a silhouette take only where it is. */
  | 'silhouette'

const steps = 15
const top = [18, 138, 125] as const
const bottom = [8, 96, 87] as const

/**
 * A gradient from the top to the bottom, each step with shades to white; then the edges of the
 * tile.
 */
const palette = once((): readonly Rgba[] => [
  ...Array.from({ length: steps * shades }, (_, i): Rgba => {
    const down = Math.floor(i / shades) / (steps - 1)
    const white = (i % shades) / (shades - 1)
    const channel = (of: 0 | 1 | 2) => {
      const ground = top[of] + (bottom[of] - top[of]) * down
      return Math.round(ground + (255 - ground) * white)
    }
    return [channel(0), channel(1), channel(2), 255]
  }),
  ...Array.from({ length: shades }, (_, i): Rgba => {
    const [red, green, blue] = top.map((from, of) => Math.round((from + (bottom[of] ?? 0)) / 2))
    return [red ?? 0, green ?? 0, blue ?? 0, Math.round((255 * i) / (shades - 1))]
  }),
])

const silhouettePalette = once(() =>
  Array.from({ length: shades }, (_, i): Rgba => {
    return [255, 255, 255, Math.round((255 * i) / (shades - 1))]
  }),
)

const drawn = new Map<string, Buffer>()

/**
 * The icon of the product, and of an organization that uploaded none.
 *
 * @param size width and height in pixels
 */
export function iconPng(size: number, kind: IconKind = 'tile'): Buffer {
  const key = `${kind} ${size}`
  let picture = drawn.get(key)
  if (!picture) {
    picture = draw(size, kind)
    drawn.set(key, picture)
  }
  return picture
}

function draw(size: number, kind: IconKind): Buffer {
  if (kind === 'silhouette') return png(size, silhouettePalette(), coverage(size, inMark))
  // A mask may leave a circle of four fifths.
  const scale = kind === 'maskable' ? 0.8 : 1
  const within = (x: number) => 0.5 + (x - 0.5) / scale
  const mark = coverage(size, (x, y) => inMark(within(x), within(y)))
  const tile = coverage(size, kind === 'tile' ? inTile : () => true)
  return png(size, palette(), (x, y) => {
    const edge = tile(x, y)
    if (edge < shades - 1) return steps * shades + edge
    return Math.floor((y / size) * steps) * shades + mark(x, y)
  })
}

/** A unit square with round corners. */
function inTile(x: number, y: number): boolean {
  const radius = 0.23
  const dx = Math.max(0, Math.abs(x - 0.5) - 0.5 + radius)
  const dy = Math.max(0, Math.abs(y - 0.5) - 0.5 + radius)
  return Math.hypot(dx, dy) <= radius
}

/** As `markPath`, in a unit square. */
function inMark(x: number, y: number): boolean {
  const fromMiddle = Math.hypot(x - 0.52, y - 0.44)
  if (fromMiddle < 0.11) return false
  if (x >= 0.52) return fromMiddle <= 0.26
  if (x < 0.27 || y < 0.18) return false
  if (x < 0.34 && y < 0.25) return Math.hypot(x - 0.34, y - 0.25) <= 0.07
  if (y <= 0.7) return true
  // The tail: its tip is a circle, which the slanted edge touches.
  if (y - 0.7 > 0.807 * (0.465 - x)) return false
  const [dx, dy] = [x - 0.295, y - 0.805]
  return dy <= 0 || 0.778 * dx - 0.628 * dy >= 0 || Math.hypot(dx, dy) <= 0.025
}
