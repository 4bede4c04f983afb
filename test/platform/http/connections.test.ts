import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, BlockList, connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionLimits, connectionLimits } from '#platform/http/connection-limits.ts'
import { guardConnections, serverOptions } from '#platform/http/connections.ts'
import { startServer } from '#test/support/server.ts'

const mib = 1024 * 1024
/** Long enough for a busy machine, short enough for a test of what happens after a stall. */
const stallMs = 1000

/** A connection that a test reads from only when it says so. */
interface Wire {
  readonly socket: Socket
  /** What has arrived so far. */
  received(): string
  /** Resolves when the other side has closed the connection. */
  readonly closed: Promise<void>
}

const wires: Socket[] = []
after(() => {
  for (const socket of wires) socket.destroy()
})

async function open(port: number, { reads = true } = {}): Promise<Wire> {
  const socket = connect(port, '127.0.0.1')
  wires.push(socket)
  let text = ''
  socket.on('error', () => {})
  if (reads) socket.on('data', (chunk) => (text += chunk))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, received: () => text, closed }
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!holds()) {
    assert.ok(performance.now() < deadline, `in vain: ${holds}`)
    await sleep(5)
  }
}

/** A guarded server of its own. */
async function serve(listener: RequestListener, changes: Partial<ConnectionLimits> = {}) {
  const limits = { ...connectionLimits, ...changes }
  const http: Server = createServer(serverOptions(limits))
  guardConnections(http, listener, limits, new BlockList())
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  after(() => {
    http.closeAllConnections()
    http.close()
  })
  return (http.address() as AddressInfo).port
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

// Most of it is waiting, so all of it waits together.
describe('a guarded server', { concurrency: 20 }, () => {
  describe('requests that are sent ahead', () => {
    test('are answered one after another, in their order', async () => {
      let working = 0
      const port = await serve(async (request, response) => {
        working += 1
        await sleep(2)
        assert.equal(working, 1)
        working -= 1
        response.end(`<${request.url}>`)
      })
      const wire = await open(port)
      const paths = Array.from({ length: 15 }, (_, i) => `/${i}`)
      wire.socket.write(paths.map((path) => get(path)).join(''))
      await until(() => wire.received().includes('</14>'))
      assert.deepEqual(
        wire.received().match(/<[^>]*>/g),
        paths.map((path) => `<${path}>`),
      )
    })

    test('end the connection when they are too many, before all are worked on', async () => {
      let worked = 0
      const port = await serve(async (_request, response) => {
        worked += 1
        await sleep(1)
        response.end('x'.repeat(mib))
      })
      const wire = await open(port, { reads: false })
      wire.socket.write(get('/').repeat(400))
      wire.socket.resume()
      await wire.closed
      assert.ok(worked < 30, String(worked))
    })

    test('are worked on once, also when they come just as the last answer has gone out', async () => {
      const worked: string[] = []
      let answerFirst = () => {}
      const port = await serve(async (request, response) => {
        worked.push(request.url ?? '')
        if (request.url === '/release') answerFirst()
        if (request.url === '/first') await new Promise<void>((resolve) => (answerFirst = resolve))
        else await sleep(5)
        response.end(`<${request.url}>`)
      })
      const [wire, other] = [await open(port), await open(port)]
      wire.socket.write(get('/first'))
      await until(() => worked.length === 1)
      // The server reads both in one turn of the event loop: one that ends the first answer, and
      // then the next request of the connection on which that answer went out.
      other.socket.write(get('/release'))
      wire.socket.write(get('/second'))
      await until(() => wire.received().includes('</second>'))
      assert.deepEqual(worked, ['/first', '/release', '/second'])
    })

    test('requests with bodies are answered in their order as well', async () => {
      const port = await serve(async (request, response) => {
        let body = ''
        for await (const chunk of request) body += chunk
        response.end(`<${body}>`)
      })
      const wire = await open(port)
      const post = (body: string) =>
        `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      wire.socket.write(post('one') + post('y'.repeat(200_000)) + post('three'))
      await until(() => wire.received().includes('<three>'))
      assert.deepEqual(
        wire
          .received()
          .match(/<[^>]*>/g)
          ?.map(({ length }) => length),
        [5, 200_002, 7],
      )
    })
  })

  describe('answers that nobody reads', () => {
    test('end the connection', async () => {
      let isOver = false
      const port = await serve(
        (_request, response) => {
          response.end(Buffer.alloc(32 * mib))
          response.once('close', () => {
            isOver = true
          })
        },
        { stallMs },
      )
      const wire = await open(port, { reads: false })
      wire.socket.pause()
      wire.socket.write(get('/'))
      await sleep(stallMs / 2)
      assert.equal(isOver, false)
      await until(() => isOver)
      wire.socket.resume()
      await wire.closed
      assert.ok(wire.socket.bytesRead < 32 * mib)
    })

    test('of one client are closed beyond their limit, the oldest first, and no others', async () => {
      const answered: string[] = []
      const ended: string[] = []
      const port = await serve(
        (request, response) => {
          response.end(Buffer.alloc(24 * mib))
          answered.push(request.url ?? '')
          response.once('close', () => ended.push(request.url ?? ''))
        },
        { clientBytes: 40 * mib },
      )
      const ask = async (path: string, client: string) => {
        const wire = await open(port, { reads: false })
        wire.socket.pause()
        wire.socket.write(get(path, `Authorization: ${client}\r\n`))
        await until(() => answered.includes(path))
      }
      await ask('/other', 'other')
      await ask('/1', 'greedy')
      await ask('/2', 'greedy')
      await ask('/3', 'greedy')
      await until(() => ended.length >= 2)
      assert.deepEqual(ended, ['/1', '/2'])
    })

    test('of all clients are closed beyond their limit, of who has most', async () => {
      const answered: string[] = []
      const ended: string[] = []
      const port = await serve(
        (request, response) => {
          response.end(Buffer.alloc(Number(request.url?.slice(1)) * mib))
          answered.push(request.url ?? '')
          response.once('close', () => ended.push(request.url ?? ''))
        },
        { clientBytes: 100 * mib, totalBytes: 60 * mib },
      )
      for (const size of [12, 25, 13, 14]) {
        const wire = await open(port, { reads: false })
        wire.socket.pause()
        wire.socket.write(get(`/${size}`, `Authorization: ${size}\r\n`))
        await until(() => answered.includes(`/${size}`))
      }
      await until(() => ended.length >= 1)
      assert.deepEqual(ended, ['/25'])
    })

    test('arrive however long a client takes that does read', async () => {
      const size = 32 * mib
      const port = await serve((_request, response) => void response.end(Buffer.alloc(size)), {
        stallMs,
      })
      const wire = await open(port, { reads: false })
      let bytes = 0
      const began = performance.now()
      // Evenly, but without a pause where the machine is behind: that could be a stall.
      wire.socket.on('data', (chunk) => {
        bytes += chunk.length
        const ahead = began + (bytes / size) * 2 * stallMs - performance.now()
        if (ahead <= 0) return
        wire.socket.pause()
        setTimeout(() => wire.socket.resume(), ahead)
      })
      wire.socket.write(get('/'))
      await until(() => bytes >= size)
      assert.ok(performance.now() - began > stallMs, 'it took longer than a stall may')
    })
  })

  describe('what is no request gets an error in the envelope, and the connection ends', () => {
    const long = 'x'.repeat(20_000)
    // biome-ignore format: a table reads best in columns
    const rows: [what: string, sent: string, status: number, code: string][] = [
      ['a long header',  `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${long}\r\n\r\n`,       431, 'REQUEST_HEADERS_TOO_LARGE'],
      ['a long address', `GET /?${long} HTTP/1.1\r\nHost: x\r\n\r\n`,                  431, 'REQUEST_HEADERS_TOO_LARGE'],
      ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n',                               400, 'BAD_REQUEST'],
    ]
    for (const [what, sent, status, code] of rows) {
      test(what, async () => {
        const wire = await open(await serve((_, response) => response.end()))
        wire.socket.write(sent)
        await wire.closed
        const [head = '', body = ''] = wire.received().split('\r\n\r\n')
        assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`))
        const { result, ...rest } = JSON.parse(body)
        assert.deepEqual([result, rest.code], ['error', code])
      })
    }
  })

  describe('a body', () => {
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n'
    const reading: RequestListener = async (request, response) => {
      try {
        let size = 0
        for await (const chunk of request) size += chunk.length
        response.end(`<${size}>`)
      } catch {
        // The body broke off.
      }
    }

    test('that stops coming ends with 408', async () => {
      const wire = await open(await serve(reading, { stallMs }))
      wire.socket.write(`${head}some`)
      await wire.closed
      assert.match(wire.received(), /^HTTP\/1\.1 408 /)
      const { result, code } = JSON.parse(wire.received().split('\r\n\r\n')[1] ?? '')
      assert.deepEqual([result, code], ['error', 'REQUEST_TIMEOUT'])
    })

    test('that drips in ends with 408', async () => {
      const wire = await open(await serve(reading, { stallMs }))
      wire.socket.write(head)
      const dripping = setInterval(() => wire.socket.write('x'), 20)
      await wire.closed
      clearInterval(dripping)
      assert.match(wire.received(), /^HTTP\/1\.1 408 /)
    })

    test('that comes slowly, but fast enough, arrives', async () => {
      const wire = await open(await serve(reading, { stallMs }))
      wire.socket.write(head)
      for (let sent = 0; sent < 1_000_000; sent += 20_000) {
        wire.socket.write('x'.repeat(20_000))
        await sleep((stallMs * 2) / 50)
      }
      await until(() => wire.received().includes('<1000000>'))
    })

    test('that the server does not take for a while is not the fault of the client', async () => {
      const port = await serve(
        async (request, response) => {
          await sleep(stallMs * 2.5)
          await reading(request, response)
        },
        { stallMs },
      )
      const wire = await open(port)
      wire.socket.write(head + 'x'.repeat(1_000_000))
      await until(() => wire.received().includes('<1000000>'))
    })
  })

  describe('a connection', () => {
    test('without a request is closed', async () => {
      const wire = await open(await serve(assert.fail, { stallMs }))
      await wire.closed
    })

    test('whose headers drip in is closed', async () => {
      const wire = await open(await serve(assert.fail, { headersMs: stallMs }))
      wire.socket.write('GET / HTTP/1.1\r\nX-Long: ')
      const dripping = setInterval(() => wire.socket.write('x'), 20)
      await wire.closed
      clearInterval(dripping)
      assert.match(wire.received(), /^HTTP\/1\.1 408 /)
    })

    test('stays open between requests for its own time', async () => {
      const port = await serve((_request, response) => void response.end('<done>'), {
        stallMs,
        keepAliveMs: stallMs * 3,
      })
      const wire = await open(port)
      wire.socket.write(get('/'))
      await sleep(stallMs * 1.5)
      wire.socket.write(get('/'))
      await until(() => wire.received().match(/<done>/g)?.length === 2)
      await wire.closed
    })

    test('is refused when its address has too many', async () => {
      let hasLeft = false
      const port = await serve(
        (request, response) => {
          request.socket.once('close', () => {
            hasLeft = true
          })
          response.end('<done>')
        },
        { perAddress: 2 },
      )
      const [first, , third] = [await open(port), await open(port), await open(port)]
      await third.closed
      first.socket.write(get('/'))
      await until(() => first.received().includes('<done>'))
      first.socket.destroy()
      await until(() => hasLeft)
      const next = await open(port)
      next.socket.write(get('/'))
      await until(() => next.received().includes('<done>'))
    })
  })
})

test('a parked poll waits as long as it has to', async () => {
  const server = await startServer({
    socket: true,
    connectionLimits: { stallMs: 300, keepAliveMs: 300 },
  })
  after(server.close)
  const queue = await server.as('member').watch('message')
  const news = queue.next()
  await sleep(1000)
  await server.say('owner', 'public')
  assert.deepEqual(
    (await news).map(({ type }) => type),
    ['message'],
  )
})

test('a server survives requests that are sent ahead and never read', async () => {
  const server = await startServer({ socket: true })
  after(server.close)
  const { email, apiKey } = server.as('member')
  const credentials = Buffer.from(`${email}:${apiKey}`).toString('base64')
  const port = Number(new URL(server.url).port)
  const request = get(
    '/api/v1/users?include_custom_profile_fields=true',
    `Authorization: Basic ${credentials}\r\n`,
  )
  const before = process.memoryUsage().rss
  const many = await Promise.all(Array.from({ length: 10 }, () => open(port, { reads: false })))
  for (const { socket } of many) {
    socket.pause()
    socket.write(request.repeat(500))
  }
  const reply = await server.as('member').get('/users/me')
  assert.equal(reply.result, 'success')
  assert.ok(process.memoryUsage().rss - before < 200 * mib)
})

test('what a client sent while the server was busy is not too slow', async () => {
  let bodies = 0
  let isAsked = false
  const port = await serve(
    (request, response) => {
      isAsked = true
      request.resume()
      request.on('end', () => {
        bodies += 1
        response.end('done')
      })
    },
    { stallMs },
  )
  const { socket, received } = await open(port)
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n12')
  await until(() => isAsked)
  socket.write('34')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * stallMs)
  await until(() => received() !== '')
  assert.match(received(), /^HTTP\/1\.1 200 /)
  assert.equal(bodies, 1)
})

describe('after a refused body the connection can be used, or says that it closes', async () => {
  const server = await startServer({ socket: true })
  after(server.close)
  const port = Number(new URL(server.url).port)
  const { email, apiKey } = server.as('member')
  const credentials = `Authorization: Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}\r\n`
  const form = 'application/x-www-form-urlencoded'
  // biome-ignore format: a table reads best in columns
  const matrix: [string, string, string, number, 'length' | 'chunks', number, boolean][] = [
    // what                     path                   type                   bytes                 status stays
    ['no multipart upload',     '/api/v1/user_uploads', form,                  300_000,   'length', 400, true],
    ['a chunked one',           '/api/v1/user_uploads', form,                  300_000,   'chunks', 400, true],
    ['an upload in no parts',   '/api/v1/user_uploads', 'multipart/form-data', 300_000,   'length', 400, true],
    ['a form that is too long', '/api/v1/messages',     form,                  3_000_000, 'length', 413, true],
    ['one that turns too long', '/api/v1/messages',     form,                  3_000_000, 'chunks', 413, false],
    ['a form for nobody',       '/api/v1/nowhere',      form,                  300_000,   'length', 404, true],
  ]
  for (const [what, path, type, bytes, kind, status, stays] of matrix) {
    test(what, async () => {
      const { socket, received, closed } = await open(port)
      const body = `file=${'x'.repeat(bytes)}`
      const framing =
        kind === 'length' ? `Content-Length: ${body.length}` : 'Transfer-Encoding: chunked'
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${credentials}Content-Type: ${type}\r\n${framing}\r\n\r\n`
      const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
      socket.write(head + (kind === 'length' ? body : chunks))
      await until(() => received().includes('\r\n\r\n'))
      assert.ok(received().startsWith(`HTTP/1.1 ${status} `), received())
      assert.match(received(), stays ? /connection: keep-alive/i : /connection: close/i)
      if (!stays) return await closed
      const before = received().length
      socket.write(`GET /api/v1/users/me HTTP/1.1\r\nHost: localhost\r\n${credentials}\r\n`)
      await until(() => received().slice(before).includes('HTTP/1.1 200 '))
    })
  }
})
