/** The part of a picture that is kept: its left top corner and its sides, in the picture's pixels. */
export interface Crop {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * The part of a picture to keep, centered on a point as far as it fits into the picture.
 *
 * @param aspect width by height of the part
 * @param zoom 1 for as much of the picture as fits; more keeps a smaller part
 * @param center in the picture's pixels
 */
export function cropOf(
  picture: Size,
  aspect: number,
  zoom: number,
  center: { readonly x: number; readonly y: number },
): Crop {
  const width = Math.min(picture.width, picture.height * aspect) / zoom
  const height = width / aspect
  const within = (middle: number, size: number, whole: number) =>
    Math.max(0, Math.min(whole - size, middle - size / 2))
  return {
    x: within(center.x, width, picture.width),
    y: within(center.y, height, picture.height),
    width,
    height,
  }
}

/** The size of the file that is made: as large as the part is, up to a limit for its longer side. */
export function outputSize({ width, height }: Crop, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
