import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { createBodies } from '#platform/http/bodies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const kib = 1024

describe('bodies that the server holds', () => {
  test('are limited for each client', () => {
    const bodies = createBodies({ perClient: 100 * kib, total: 1000 * kib })
    const release = bodies.hold('a', 60 * kib)
    assert.throws(() => bodies.hold('a', 60 * kib), { code: 'RATE_LIMIT_HIT' })
    bodies.hold('a', 40 * kib)
    bodies.hold('b', 60 * kib)
    release()
    bodies.hold('a', 60 * kib)
  })

  test('are limited altogether, but for one of each client', () => {
    const bodies = createBodies({ perClient: 100 * kib, total: 150 * kib })
    bodies.hold('a', 100 * kib)
    const release = bodies.hold('b', 40 * kib)
    assert.throws(() => bodies.hold('b', 20 * kib), { code: 'RATE_LIMIT_HIT' })
    bodies.hold('c', 100 * kib)
    release()
    bodies.hold('b', 100 * kib)
  })

  test('one may be larger than the limit, and short ones do not count', () => {
    const bodies = createBodies({ perClient: 20 * kib, total: 20 * kib })
    bodies.hold('a', 30 * kib)
    for (let i = 0; i < 100; i++) bodies.hold('a', 15 * kib)
  })
})

describe('a client with many large bodies on the way', async () => {
  const server = await startServer()
  after(server.close)
  const { port } = new URL(server.url)
  const sockets: Socket[] = []
  after(() => {
    for (const socket of sockets) socket.destroy()
  })

  /** Announces a body of which nothing comes. */
  function announce(actor: Actor, length: string): Socket {
    const { email, apiKey } = server.as(actor)
    const basic = Buffer.from(`${email}:${apiKey}`).toString('base64')
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    const type = 'application/x-www-form-urlencoded'
    socket.write(
      `POST /api/v1/drafts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${basic}\r\n` +
        `Content-Type: ${type}\r\n${length}\r\n\r\n`,
    )
    return socket
  }

  for (const [how, length] of Object.entries({
    'of a known length': 'Content-Length: 1048576',
    'of an unknown length': 'Transfer-Encoding: chunked',
  })) {
    test(`is refused one more ${how}, and nobody else is`, async () => {
      const held = Array.from({ length: 32 }, () => announce('member', length))
      const answered = held.map((socket) => once(socket, 'data'))
      const beyond = announce('member', length)
      const refused = await Promise.race([once(beyond, 'data'), ...answered])
      assert.match(String(refused[0]), /^HTTP\/1.1 429 .*"code":"RATE_LIMIT_HIT"/s)
      const drafts = [{ type: '', to: [], topic: '', content: 'x'.repeat(9999) }]
      assert.equal(
        (await server.as('owner').post('/drafts', { drafts: [...drafts, ...drafts] })).result,
        'success',
      )
      for (const socket of [...held, beyond]) socket.destroy()
    })
  }
})
