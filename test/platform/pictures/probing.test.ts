import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { describe, test } from 'node:test'
import { probe, probeFile } from '#platform/pictures/probe.ts'
import { type ThumbnailOptions, thumbnail } from '#platform/pictures/thumbnail.ts'
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

const inside: ThumbnailOptions = { width: 30, height: 30, fit: 'inside', format: 'png' }
const square: ThumbnailOptions = { width: 20, height: 20, fit: 'cover', format: 'png' }

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

describe('a stored file is read as far as needed, in pieces', () => {
  const kib = 1024
  const zeros = (length: number) => Buffer.alloc(length)
  /** With as much between the start of a file and the rest. */
  const stuffed = (file: Uint8Array, at: number, stuffing: readonly Uint8Array[]) =>
    Buffer.concat([file.subarray(0, at), ...stuffing, file.subarray(at)])
  const profile = Buffer.concat([Buffer.from([0xff, 0xe2, 0xea, 0x62]), zeros(60_000)])
  const junk = Buffer.concat([Buffer.from('JUNK'), Buffer.from([0xe1, 0x93, 4, 0]), zeros(300_002)])
  const animation = gifPicture(60, 60, 200)

  // biome-ignore format: a table reads best in columns
  const table: [name: string, make: () => Uint8Array | Promise<Uint8Array>, mostKib: number][] = [
    ['a PNG', () => Buffer.concat([pngPicture(60, 40), zeros(9000 * kib)]), 128],
    ['a JPEG', () => Buffer.concat([jpegPicture(64, 32, 6), zeros(9000 * kib)]), 128],
    ['a JPEG with 600 KB before its dimensions', () => stuffed(jpegPicture(64, 32, 6), 2, Array(10).fill(profile)), 2000],
    ['a GIF of 200 frames', () => animation, 2000],
    ['a GIF that ends early', () => animation.subarray(0, 200 * kib), 400],
    ['a GIF of one piece', () => animation.subarray(0, 128 * kib), 256],
    ['a GIF whose largest frame is its last', () => Buffer.concat([animation.subarray(0, -1), gifOfSmallScreen(300, 200).subarray(25)]), 2000],
    ['a WebP', async () => Buffer.concat([await thumbnail(pngPicture(), { ...square, format: 'webp' }), zeros(9000 * kib)]), 128],
    ['a WebP with 300 KB between its frames', async () => stuffed(await thumbnail(gifPicture(20, 10, 3), { ...square, format: 'webp', animated: true }), 30, [junk]), 500],
  ]
  for (const [name, make, mostKib] of table) {
    test(name, async () => {
      const bytes = await make()
      let read = 0
      const picture = await probeFile(bytes.byteLength, async (start, length) => {
        const part = bytes.subarray(start, start + length)
        read += part.byteLength
        return part
      })
      assert.deepEqual(picture, probe(bytes))
      assert.ok(read <= mostKib * kib, `${read} bytes`)
    })
  }

  test('what is no picture is refused after the first piece', async () => {
    const refused = { code: 'BAD_IMAGE' }
    await assert.rejects(
      probeFile(9000 * kib, async (start, length) => {
        assert.equal(start, 0)
        return zeros(length)
      }),
      refused,
    )
    await assert.rejects(
      probeFile(65 * kib * kib, async () => assert.fail('reads what is too large')),
      refused,
    )
  })
})

describe('hostile files are refused with one clean error', () => {
  for (const [name, bytes] of hostilePictures) {
    test(name, async () => {
      const made = thumbnail(bytes, { ...inside, animated: true })
      await assert.rejects(made, { code: 'BAD_IMAGE' })
    })
  }

  test('after which the next picture is resized as ever', async () => {
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

test('a picture that has to fit is whole, in the middle of a transparent square', async () => {
  const whole = { ...square, fit: 'contain' } as const
  for (const picture of [pngPicture(60, 20), pngPicture(6, 2)]) {
    const small = await thumbnail(picture, whole)
    assert.deepEqual([probe(small).width, probe(small).height], [20, 20])
    assert.deepEqual(pixelOf(small, 1, 10), red)
    assert.deepEqual(pixelOf(small, 18, 10), blue)
    for (const edge of [1, 18]) assert.deepEqual(pixelOf(small, 1, edge), [0, 0, 0])
  }
  const gif = await thumbnail(gifPicture(40, 20, 3), { ...whole, format: 'gif', animated: true })
  const size = { width: 20, height: 20 }
  assert.deepEqual(probe(gif), { contentType: 'image/gif', ...size, animated: true })
  assert.deepEqual(pixelOf(await thumbnail(gif, square), 10, 10), red)
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

const isLinux = process.platform === 'linux'

test('pictures are decoded when no request needs the processor', { skip: !isLinux }, async () => {
  /** The niceness of each thread of this process, by ID. */
  const niceness = () => {
    const ids = readdirSync('/proc/self/task')
    return new Map(ids.map((id) => [Number(id), getPriority(Number(id))]))
  }
  const before = getPriority(process.pid)
  await thumbnail(pngPicture(), square)
  const lowered = Math.max(before, 3)
  const threads = niceness()
  assert.equal(threads.get(process.pid), before)
  assert.ok([...threads.values()].includes(lowered))
})
