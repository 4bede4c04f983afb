import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { probe } from '#platform/images/probe.ts'
import { type Target, thumbnail } from '#platform/images/thumbnail.ts'
import {
  blue,
  gifOfSmallScreen,
  gifPicture,
  hostilePictures,
  jpegPicture,
  pixelOf,
  pngPicture,
  red,
} from '#test/support/pictures.ts'

const inside: Target = { width: 30, height: 30, fit: 'inside', format: 'png' }
const square: Target = { width: 20, height: 20, fit: 'cover', format: 'png' }

describe('what a picture is, whatever it is called', () => {
  const still = { animated: false }
  // biome-ignore format: a table reads best in columns
  const table: [string, () => Buffer | Promise<Uint8Array>, object][] = [
    ['a PNG', () => pngPicture(60, 40), { contentType: 'image/png', width: 60, height: 40, ...still }],
    ['a JPEG', () => jpegPicture(64, 32), { contentType: 'image/jpeg', width: 64, height: 32, ...still }],
    ['a JPEG upside down', () => jpegPicture(64, 32, 3), { contentType: 'image/jpeg', width: 64, height: 32, ...still }],
    ['a JPEG on its side', () => jpegPicture(64, 32, 6), { contentType: 'image/jpeg', width: 32, height: 64, ...still }],
    ['a GIF of one frame', () => gifPicture(20, 10, 1), { contentType: 'image/gif', width: 20, height: 10, ...still }],
    ['a GIF of three frames', () => gifPicture(20, 10, 3), { contentType: 'image/gif', width: 20, height: 10, animated: true }],
    ['a GIF of too many frames', () => gifPicture(2, 2, 1001), { contentType: 'image/gif', width: 2, height: 2, ...still }],
    ['a GIF with a larger frame', () => gifOfSmallScreen(20, 10), { contentType: 'image/gif', width: 20, height: 10, ...still }],
    ['a WebP', () => thumbnail(pngPicture(60, 40), { ...square, format: 'webp' }), { contentType: 'image/webp', width: 20, height: 20, ...still }],
    ['a WebP of three frames', () => thumbnail(gifPicture(20, 10, 3), { ...square, format: 'webp', animated: true }), { contentType: 'image/webp', width: 20, height: 20, animated: true }],
  ]
  for (const [name, make, expected] of table) {
    test(name, async () => {
      assert.deepEqual(probe(await make()), expected)
    })
  }
})

describe('hostile files are refused with one clean error', () => {
  for (const [name, bytes] of hostilePictures) {
    test(name, async () => {
      const made = thumbnail(bytes, { ...inside, animated: true })
      await assert.rejects(made, { code: 'BAD_IMAGE' })
    })
  }

  test('and the next picture works as if nothing had been', async () => {
    assert.equal(probe(await thumbnail(pngPicture(), inside)).width, 30)
  })
})

test('a thumbnail keeps its proportions, and is never larger than the picture', async () => {
  // biome-ignore format: a table reads best in columns
  const table: [number, number, number, number][] = [
    [60, 40, 30, 20],
    [40, 60, 20, 30],
    [20, 10, 20, 10],
    [900, 3, 30, 1],
  ]
  for (const [width, height, ...expected] of table) {
    const small = probe(await thumbnail(pngPicture(width, height), inside))
    assert.deepEqual([small.width, small.height], expected)
  }
})

test('a square shows the middle of a picture, enlarged if need be', async () => {
  for (const picture of [pngPicture(60, 40), pngPicture(6, 40), pngPicture(4, 4)]) {
    const small = await thumbnail(picture, square)
    assert.deepEqual([probe(small).width, probe(small).height], [20, 20])
    assert.deepEqual(pixelOf(small, 1, 10), red)
    assert.deepEqual(pixelOf(small, 18, 10), blue)
  }
})

test('a picture is turned upright as its EXIF orientation says, and says nothing more', async () => {
  const small = await thumbnail(jpegPicture(64, 32, 6), { ...inside, width: 64, height: 64 })
  assert.deepEqual([probe(small).width, probe(small).height], [32, 64])
  const brightness = [pixelOf(small, 16, 2), pixelOf(small, 16, 61)].map(([value = -1]) =>
    Math.round(value / 255),
  )
  assert.deepEqual(brightness, [0, 1])
  assert.equal(Buffer.from(small).includes('Exif'), false)
  const again = await thumbnail(jpegPicture(64, 32, 6), { ...square, format: 'webp' })
  assert.equal(Buffer.from(again).includes('EXIF'), false)
})

test('an animation keeps its frames and their times, or becomes its first frame', async () => {
  const gif = await thumbnail(gifPicture(40, 20, 3), { ...square, format: 'gif', animated: true })
  assert.deepEqual(probe(gif), {
    contentType: 'image/gif',
    width: 20,
    height: 20,
    animated: true,
  })
  const control = Buffer.from(gif).indexOf(Buffer.from([0x21, 0xf9, 4]))
  assert.equal(Buffer.from(gif).readUInt16LE(control + 4), 10, 'hundredths of a second')
  const still = await thumbnail(gifPicture(40, 20, 3), square)
  assert.deepEqual(pixelOf(still, 10, 10), red)
})
