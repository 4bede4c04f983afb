import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { LightReply, lightText, redirect } from '#platform/http/light/reply.ts'
import { listenerOf } from '#platform/http/listener.ts'

const logged: string[] = []
const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) })
let aborted: Promise<unknown> | undefined

/** What the handler does for a path. */
const acts: Record<string, (request: Request) => Response | Promise<Response>> = {
  '/cookies': () =>
    redirect('/ä', 303, [
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ]),
  '/empty': () => new LightReply(null),
  '/unchanged': () => new LightReply(null, { status: 304 }),
  '/echo': async (request) => lightText(await request.text()),
  '/twice': async (request) => {
    await request.arrayBuffer()
    return lightText(await request.text().catch(() => 'read before'))
  },
  '/first-part': async (request) => {
    for await (const part of request.body ?? []) return lightText(`${part.length}`)
    return lightText('none')
  },
  '/platform': () => new Response('of the platform', { headers: { 'X-Kind': 'real' } }),
  '/waits': (request) => {
    aborted = new Promise((resolve) => request.signal.addEventListener('abort', resolve))
    return new Promise(() => {})
  },
  '/breaks': () =>
    new LightReply(
      new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from('begun')),
        pull() {
          throw new Error('The file is gone.')
        },
      }),
    ),
  '/throws': () => {
    throw new Error('A handler failed.')
  },
}

const http = createServer(
  listenerOf((request) => {
    const { pathname } = new URL(request.url)
    return acts[pathname]?.(request) ?? lightText(request.url)
  }, log),
)
http.listen(0, '127.0.0.1')
await once(http, 'listening')
after(() => {
  http.closeAllConnections()
  http.close()
})
const { port } = http.address() as AddressInfo

function open(text: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(text)
  return socket
}

/** All that comes until the server closes the connection. */
async function answer(text: string): Promise<string> {
  let all = ''
  for await (const part of open(text)) all += String(part)
  return all
}

const get = (target: string, host = 'chat.example') =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`

describe('the URL of a request', () => {
  const table: [target: string, host: string, url: string | undefined][] = [
    ['/a/b?c=%5B1%5D&d=x+y', 'chat.example', 'http://chat.example/a/b?c=%5B1%5D&d=x+y'],
    ['/', 'chat.example:9991', 'http://chat.example:9991/'],
    ['/a', 'CHAT.Example:80', 'http://chat.example/a'],
    ['/a', '[::1]:9991', 'http://[::1]:9991/a'],
    ['/a/../b', 'chat.example', 'http://chat.example/b'],
    ['/a/%2e%2E/b', 'chat.example', 'http://chat.example/b'],
    ['/a?b=/../c', 'chat.example', 'http://chat.example/a?b=/../c'],
    ['/a"b', 'chat.example', 'http://chat.example/a%22b'],
    ['//other.example/a', 'chat.example', 'http://chat.example//other.example/a'],
    ['http://other.example/a', 'chat.example', 'http://other.example/a'],
    ['/a?b=\\c', 'chat.example', 'http://chat.example/a?b=\\c'],
    ['/a\\b', 'chat.example', undefined],
    ['http:\\\\other.example', 'chat.example', undefined],
    ['ftp://other.example/a', 'chat.example', undefined],
    ['*', 'chat.example', undefined],
    ['/a', 'chat.example/b', undefined],
    ['/a', 'user@chat.example', undefined],
    ['/a', 'chat.example?', undefined],
    ['/a', 'chat.example#', undefined],
    ['/a', 'chat.example\\b', undefined],
    ['/a', 'chat.example:99999', undefined],
    ['/a', '', undefined],
  ]
  for (const [target, host, url] of table) {
    test(`${target} at "${host}" is ${url ?? 'refused'}`, async () => {
      const said = await answer(get(target, host))
      if (url === undefined) assert.match(said, /^HTTP\/1\.1 400 /)
      else assert.equal(said.split('\r\n\r\n')[1], url)
    })
  }

  test('a request without a host is refused', async () => {
    assert.match(await answer('GET / HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 400 /)
  })
})

describe('a reply', () => {
  test('has each cookie by itself, and an address in ASCII', async () => {
    const said = await answer(get('/cookies'))
    assert.match(said, /^HTTP\/1\.1 303 /)
    assert.match(said, /\r\nLocation: \/%C3%A4\r\n/)
    assert.match(said, /\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n/)
  })

  test('tells that it is empty, unless its status says so', async () => {
    assert.match(await answer(get('/empty')), /\r\nContent-Length: 0\r\n/)
    assert.doesNotMatch(await answer(get('/unchanged')), /Content-Length|Transfer-Encoding/)
  })

  test('may be one of the platform', async () => {
    const said = await answer(get('/platform'))
    assert.match(said, /\r\nx-kind: real\r\n/i)
    assert.match(said, /of the platform/)
  })

  test('is an error where the handler fails', async () => {
    assert.match(await answer(get('/throws')), /^HTTP\/1\.1 500 .*Content-Length: 0\r\n/s)
  })

  test('that breaks off ends its connection, and is logged', async () => {
    logged.length = 0
    assert.match(await answer(get('/breaks')), /^HTTP\/1\.1 200 (?!.*\r\n0\r\n)/s)
    assert.match(logged.join(), /The file is gone/)
  })
})

describe('a body', () => {
  const post = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: chat.example\r\nContent-Length: ${length}\r\n\r\n`

  test('arrives whole, in however many pieces', async () => {
    const socket = open(post('/echo', 9))
    for (const piece of ['grü', 'ße', '!!']) {
      socket.write(piece)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const [said] = await once(socket, 'data')
    assert.match(String(said), /\r\n\r\ngrüße!!$/)
    socket.destroy()
  })

  test('can be read once', async () => {
    const socket = open(`${post('/twice', 2)}ab`)
    assert.match(String((await once(socket, 'data'))[0]), /read before$/)
    socket.destroy()
  })

  for (const [how, path, sent] of [
    ['nobody reads', '/empty', 300_000],
    ['is read in part', '/first-part', 300_000],
    ['is empty', '/empty', 0],
  ] as const) {
    test(`that ${how} leaves the connection for the next request`, async () => {
      const said = await answer(post(path, sent) + 'x'.repeat(sent) + get('/next'))
      assert.match(said, /^HTTP\/1\.1 200 .*http:\/\/chat\.example\/next$/s)
    })
  }

  test('whose rest does not come ends the connection', async () => {
    assert.match(await answer(post('/empty', 300_000)), /^HTTP\/1\.1 200 /)
  })

  test('of a connection that is lost cannot be read', async () => {
    logged.length = 0
    const failed = new Promise<string>((resolve) => {
      acts['/lost'] = async (request) => {
        resolve(await request.text().catch((error: Error) => error.message))
        return lightText('')
      }
    })
    const socket = open(`${post('/lost', 10)}abc`)
    await once(socket, 'connect')
    setImmediate(() => socket.destroy())
    assert.notEqual(await failed, 'abc')
    assert.deepEqual(logged, [])
  })
})

for (const [when, isBegun] of [
  ['before its first part', false],
  ['after it', true],
] as const) {
  test(`a client that goes away ${when} ends the reply, and is not logged`, async () => {
    logged.length = 0
    let go = () => {}
    const gone = new Promise<void>((resolve) => {
      go = resolve
    })
    const ended = new Promise<unknown>((resolve) => {
      acts['/streams'] = async (request) => {
        const left = new Promise((leave) => request.signal.addEventListener('abort', leave))
        if (!isBegun) {
          go()
          await left
        }
        const body = new ReadableStream({
          pull(controller) {
            controller.enqueue(Buffer.alloc(1024))
            go()
          },
          cancel: resolve,
        })
        return new LightReply(body)
      }
    })
    const socket = open(get('/streams'))
    await gone
    socket.destroy()
    await ended
    assert.deepEqual(logged, [])
  })
}

test('a handler hears that the connection is lost', async () => {
  const socket = open(get('/waits'))
  while (!aborted) await new Promise((resolve) => setImmediate(resolve))
  socket.destroy()
  await aborted
})
