import { sentSentence } from '#translations/translate.ts'
import { badPicture } from './errors.ts'
import type { Header } from './headers.ts'
import { type HeaderWalk, pieceBytes, probeGif, probeJpeg, probePng, probeWebp } from './headers.ts'
import { pictureBounds } from './limits.ts'

/** A picture's format and dimensions, according to its header. */
export interface Picture {
  readonly contentType: 'image/gif' | 'image/jpeg' | 'image/png' | 'image/webp'
  /** In pixels, after rotation to upright. */
  readonly width: number
  readonly height: number
  /** Whether it has several frames, within the limits for animations. */
  readonly animated: boolean
}

type ReadHeader = (head: Buffer) => Header | HeaderWalk | undefined

const readers: readonly [Picture['contentType'], ReadHeader][] = [
  ['image/png', probePng],
  ['image/jpeg', probeJpeg],
  ['image/gif', probeGif],
  ['image/webp', probeWebp],
]

/**
 * Determines a picture's format and dimensions from its header, without decoding it and regardless
 * of its file name. Run it before decoding any picture: it limits the decoded size.
 *
 * @throws BAD_IMAGE not PNG, JPEG, GIF or WebP, or beyond the limits
 */
export function probe(bytes: Uint8Array): Picture {
  if (bytes.byteLength > pictureBounds.bytes) throw tooLarge()
  const buffer = asBuffer(bytes)
  const walk = pictureFrom(buffer)
  let step = walk.next()
  while (!step.done) step = walk.next(buffer.subarray(step.value))
  return step.value
}

/**
 * The same for a file. Reads only what it needs, `pieceBytes` at a time: the first bytes of most
 * formats, the frames of animations.
 *
 * @param size of the file, in bytes
 * @param read returns the bytes at a position, fewer than `length` only at the end of the file
 * @throws as `probe`
 */
export async function probeFile(
  size: number,
  read: (start: number, length: number) => Promise<Uint8Array>,
): Promise<Picture> {
  if (size > pictureBounds.bytes) throw tooLarge()
  const piece = async (start: number) => asBuffer(await read(start, pieceBytes))
  const walk = pictureFrom(await piece(0))
  let step = walk.next()
  while (!step.done) step = walk.next(await piece(step.value))
  return step.value
}

/** @param head the first piece of a file; the others are asked for, as by a `HeaderWalk` */
function* pictureFrom(head: Buffer): Generator<number, Picture, Buffer> {
  for (const [contentType, read] of readers) {
    const found = read(head)
    const header = found && 'next' in found ? yield* found : found
    if (header) return describe(contentType, header)
  }
  throw badPicture()
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function describe(
  contentType: Picture['contentType'],
  { width, height, heldBytes, turned, frames = 1 }: Header,
): Picture {
  const pixels = width * height
  if (pixels === 0 || frames === 0) throw badPicture()
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
  return badPicture(sentSentence('The image is too large.'))
}
