import { badImage } from './errors.ts'
import { probeGif, probeJpeg, probePng, probeWebp } from './headers.ts'
import { pictureBounds } from './limits.ts'

/** An image's format and dimensions, according to its header. */
export interface Picture {
  readonly contentType: 'image/gif' | 'image/jpeg' | 'image/png' | 'image/webp'
  /** In pixels, after rotation to upright. */
  readonly width: number
  readonly height: number
  /** Whether it has several frames, within the limits for animations. */
  readonly animated: boolean
}

/** The dimensions as stored, whether EXIF turns the image on its side, and the number of frames. */
export interface Header {
  readonly width: number
  readonly height: number
  /** The memory that decoding takes, in bytes; 0 where the decoder needs few rows at a time. */
  readonly heldBytes: number
  readonly turned?: boolean
  readonly frames?: number
}

const readers: readonly [Picture['contentType'], (bytes: Buffer) => Header | undefined][] = [
  ['image/png', probePng],
  ['image/jpeg', probeJpeg],
  ['image/gif', probeGif],
  ['image/webp', probeWebp],
]

/**
 * Determines an image's format and dimensions from its header, without decoding it and regardless
 * of its file name. Run it before decoding any image: it limits the decoded size.
 *
 * @throws BAD_IMAGE not PNG, JPEG, GIF or WebP, or beyond the limits
 */
export function probe(bytes: Uint8Array): Picture {
  if (bytes.byteLength > pictureBounds.bytes) throw tooLarge()
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const [contentType, read] of readers) {
    const header = read(buffer)
    if (header) return describe(contentType, header)
  }
  throw badImage()
}

function describe(
  contentType: Picture['contentType'],
  { width, height, heldBytes, turned, frames = 1 }: Header,
): Picture {
  const pixels = width * height
  if (pixels === 0 || frames === 0) throw badImage()
  if (pixels > pictureBounds.pixels || heldBytes > pictureBounds.heldBytes) throw tooLarge()
  const showable = frames <= pictureBounds.frames && frames * pixels <= pictureBounds.animatedPixels
  return {
    contentType,
    width: turned ? height : width,
    height: turned ? width : height,
    animated: frames > 1 && showable,
  }
}

function tooLarge() {
  return badImage('The picture is too large.')
}
