import { badImage } from './errors.ts'
import { probeGif, probeJpeg, probePng, probeWebp } from './headers.ts'
import { pictureBounds } from './limits.ts'

/** What a picture is, as its first bytes say. */
export interface Picture {
  readonly contentType: 'image/gif' | 'image/jpeg' | 'image/png' | 'image/webp'
  /** In pixels, upright. */
  readonly width: number
  readonly height: number
  /** Whether it has several frames that can all be shown. */
  readonly animated: boolean
}

/** Width and height as stored, whether it lies on its side, and how many frames there are. */
export interface Header {
  readonly width: number
  readonly height: number
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
 * Tells what a picture is without decoding it, whatever its file is called. Nothing is decoded
 * that did not pass here: the bounds are on what the file says it holds, however small it is.
 *
 * @throws BAD_IMAGE neither PNG, JPEG, GIF nor WebP, or beyond the bounds
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
  { width, height, turned, frames = 1 }: Header,
): Picture {
  const pixels = width * height
  if (pixels === 0 || frames === 0) throw badImage()
  if (pixels > pictureBounds.pixels) throw tooLarge()
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
