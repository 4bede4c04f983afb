import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { probe } from '#platform/pictures/probe.ts'
import { basicAuth } from '#test/support/files.ts'
import { pngPicture } from '#test/support/pictures.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

describe('what a picture takes to decode is known from its header', () => {
  const png = (width: number, height: number, depth: number, color: number, interlaced: number) => {
    const bytes = Buffer.from(pngPicture(1, 1))
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    bytes.set([depth, color, 0, 0, interlaced], 24)
    return bytes
  }
  const jpeg = (width: number, height: number, marker: number, chroma: number) => {
    const frame = [8, height >> 8, height & 255, width >> 8, width & 255, 3]
    const parts = [1, chroma, 0, 2, 0x11, 0, 3, 0x11, 0]
    return Buffer.from([0xff, 0xd8, 0xff, marker, 0, 17, ...frame, ...parts, 0xff, 0xd9])
  }
  const webp = (width: number, height: number) => {
    const bytes = Buffer.alloc(30)
    bytes.write('RIFF', 0)
    bytes.write('WEBPVP8 ', 8)
    bytes.writeUInt16LE(width, 26)
    bytes.writeUInt16LE(height, 28)
    return bytes
  }
  const gif = (width: number, height: number) => {
    const bytes = Buffer.alloc(24)
    bytes.write('GIF89a', 0)
    bytes[13] = 0x2c
    bytes.writeUInt16LE(width, 18)
    bytes.writeUInt16LE(height, 20)
    return bytes
  }
  // biome-ignore format: a table reads best in columns
  const table: [name: string, bytes: Buffer, taken: boolean][] = [
    ['a PNG of rows',                        png(8000, 8000, 16, 6, 0),  true],
    ['a small interlaced PNG',               png(5000, 5000, 8, 6, 1),   true],
    ['a large interlaced PNG',               png(8000, 8000, 8, 6, 1),   false],
    ['an interlaced PNG of 16 bits',         png(5000, 5000, 16, 6, 1),  false],
    ['a JPEG of rows',                       jpeg(8000, 8000, 0xc0, 0x22), true],
    ['a progressive JPEG',                   jpeg(7000, 7000, 0xc2, 0x22), true],
    ['a progressive JPEG of more',           jpeg(8000, 8000, 0xc2, 0x22), false],
    ['a progressive JPEG with all colours',  jpeg(7000, 7000, 0xc2, 0x11), false],
    ['a WebP',                               webp(4000, 4000),           true],
    ['a large WebP',                         webp(8000, 8000),           false],
    ['a GIF',                                gif(5000, 5000),            true],
    ['a large GIF',                          gif(8000, 8000),            false],
  ]
  for (const [name, bytes, taken] of table) {
    test(`${name} is ${taken ? 'taken' : 'refused'}`, () => {
      if (taken) assert.ok(probe(bytes).width > 0)
      else assert.throws(() => probe(bytes), { code: 'BAD_IMAGE' })
    })
  }
})

/** Sends an avatar. */
function sendAvatar(actor: Actor, picture: Buffer, signal?: AbortSignal): Promise<Response> {
  const body = new FormData()
  body.append('file', new File([new Uint8Array(picture)], 'a.png'))
  return fetch(`${server.url}/api/v1/users/me/avatar`, {
    method: 'POST',
    headers: basicAuth(server, actor),
    body,
    ...(signal && { signal }),
  })
}

describe('one person sends many pictures', () => {
  const large = pngPicture(2000, 2000)

  test('while another person does not wait for all of them', async () => {
    const order: string[] = []
    const first = sendAvatar('member', large)
    const many = Array.from({ length: 8 }, async () => {
      await sendAvatar('member', large)
      order.push('many')
    })
    const one = sendAvatar('admin', pngPicture()).then(({ status }) => {
      assert.equal(status, 200)
      order.push('one')
    })
    await one
    assert.ok(order.length < 5, order.join())
    await Promise.all([first, ...many])
  })

  test('more than may wait are refused, and can be sent again', async () => {
    const replies = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const response = await sendAvatar('member', large)
        return [response.status, response.headers.get('retry-after')].join()
      }),
    )
    assert.deepEqual([...new Set(replies)].sort(), ['200,', '429,5'])
  })

  test('of which nothing is left to do, or stored, once that person goes away', async () => {
    const { files } = server.server.context
    const read: string[] = []
    const { read: plain } = files
    files.read = (hash) => {
      read.push(hash)
      return plain(hash)
    }
    const gone = new AbortController()
    const sent = Array.from({ length: 8 }, () => sendAvatar('member', large, gone.signal))
    const all = Promise.allSettled(sent)
    while (read.length < 8) await nextTurn()
    gone.abort()
    await all
    assert.equal((await sendAvatar('admin', pngPicture())).status, 200)
    files.read = plain
    // Each was looked at once; one or two were begun, and the small one takes three.
    assert.ok(read.length <= 8 + 2 + 3, `${read.length} times`)
  })
})
