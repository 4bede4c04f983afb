import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { listEndpoints } from '#program/features.ts'
import { createRandom } from '#test/support/drawing.ts'
import { startServer } from '#test/support/server.ts'

const random = createRandom(7)
const folder = mkdtempSync(join(tmpdir(), 'parley-survival-'))
const server = await startServer({ socket: true, data: folder })
after(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const { port } = new URL(server.url)
const basic = ({ email, apiKey }: { email: string; apiKey: string }) =>
  `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
// Some of the requests arrive whole, and change the keys or the account of who sends them.
const authorization = basic(server.as('member'))
const boundary = 'xxBoundaryxx'
const opening =
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n` +
  'Content-Type: text/plain\r\n\r\n'
const file = `${opening}${'abcdefgh'.repeat(4000)}`
const closing = `\r\n--${boundary}--\r\n`

/** How a client breaks off in the middle of a body. */
type Ending = 'ends early' | 'resets' | 'says no more, in full'

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  readonly body: string
}

const ways: readonly { method: string; path: string; type: string; body: string }[] = [
  ...listEndpoints().flatMap(({ endpoint }) => {
    if (endpoint.method === 'get') return []
    const path = `/api/v1${endpoint.path.replace(/:\w+(\{[^}]*\})?/g, '1')}`
    const form = Object.keys(endpoint.params).map((name) => `${name}=${'1'.repeat(2000)}`)
    const method = endpoint.method.toUpperCase()
    const type = `multipart/form-data; boundary=${boundary}`
    return [
      { method, path, type: 'application/x-www-form-urlencoded', body: form.join('&') || 'a=b' },
      { method, path, type, body: file + closing },
    ]
  }),
  { method: 'POST', path: '/login/', type: 'application/x-www-form-urlencoded', body: 'a=b&c=d' },
]

/** Sends the beginning of a request and breaks off. Resolves when the connection is over. */
function breakOff({ method, path, headers, body }: Sent, cut: number, how: Ending): Promise<void> {
  const length = how === 'says no more, in full' ? cut : Buffer.byteLength(body)
  const delayMs = random() * 20
  return new Promise((done) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    socket.on('close', () => done())
    socket.resume()
    const head = [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: ${authorization}`,
      `Content-Length: ${length}`,
      'Connection: close',
      ...headers,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, cut)}`, () => {
      if (how === 'resets') setTimeout(() => socket.resetAndDestroy(), delayMs)
      else if (how === 'ends early') setTimeout(() => socket.end(), delayMs)
    })
  })
}

const uncaught: unknown[] = []
const note = (error: unknown) => void uncaught.push(error)
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, note)
  after(() => process.off(event, note))
}

async function isAlive(): Promise<void> {
  const response = await fetch(`${server.url}/health`)
  assert.equal(response.status, 200)
  assert.deepEqual(uncaught, [])
}

describe('a body that breaks off does not end the process', () => {
  for (const how of ['ends early', 'resets', 'says no more, in full'] as const) {
    test(`it ${how}, at every endpoint`, async () => {
      for (let from = 0; from < ways.length; from += 20) {
        const group = ways
          .slice(from, from + 20)
          .map(({ type, ...sent }) =>
            breakOff(
              { ...sent, headers: [`Content-Type: ${type}`] },
              Math.floor(random() * sent.body.length),
              how,
            ),
          )
        await Promise.all(group)
      }
      await isAlive()
    })
  }

  test('an upload is cancelled at any moment', async () => {
    const upload: Sent = {
      method: 'POST',
      path: '/api/v1/user_uploads',
      headers: [`Content-Type: multipart/form-data; boundary=${boundary}`],
      body: file + closing,
    }
    for (let round = 0; round < 100; round++) {
      const cut = opening.length + Math.floor(random() * (file.length - opening.length))
      await breakOff(upload, cut, round % 2 === 0 ? 'resets' : 'ends early')
    }
    await isAlive()
  })

  test('the last boundary of an upload is missing', async () => {
    const response = await fetch(`${server.url}/api/v1/user_uploads`, {
      method: 'POST',
      headers: {
        authorization: basic(server.as('admin')),
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: file,
    })
    assert.equal(response.status, 400)
    assert.equal(((await response.json()) as { code: string }).code, 'BAD_REQUEST')
    await isAlive()
  })
})
