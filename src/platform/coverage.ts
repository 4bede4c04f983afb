/** The number of shades between outside and inside, for a drawing with smooth edges. */
export const shades = 16

/**
 * Calculates how much of each pixel of a square drawing a shape covers, from 0 to `shades` - 1.
 * Only pixels at an edge are looked at closely: those whose corners are not all on the same side.
 *
 * @param size width and height, in pixels
 * @param isInside whether a point of the unit square is in the shape
 */
export function coverage(
  size: number,
  isInside: (x: number, y: number) => boolean,
): (x: number, y: number) => number {
  const stride = size + 1
  const corners = new Uint8Array(stride * stride)
  for (let y = 0; y < stride; y++) {
    for (let x = 0; x < stride; x++) {
      corners[y * stride + x] = isInside(x / size, y / size) ? 1 : 0
    }
  }
  const corner = (x: number, y: number) => corners[y * stride + x] ?? 0
  return (x, y) => {
    const sum = corner(x, y) + corner(x + 1, y) + corner(x, y + 1) + corner(x + 1, y + 1)
    if (sum === 0) return 0
    if (sum === 4) return shades - 1
    let inside = 0
    for (let i = 0; i < 16; i++) {
      const px = (x + ((i % 4) + 0.5) / 4) / size
      const py = (y + (Math.floor(i / 4) + 0.5) / 4) / size
      if (isInside(px, py)) inside += 1
    }
    return Math.round((inside / 16) * (shades - 1))
  }
}
