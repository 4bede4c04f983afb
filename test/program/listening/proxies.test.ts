import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Listening } from '#program/listening/options.ts'
import { openStream } from '#test/support/event-stream.ts'
import { freePort } from '#test/support/free-port.ts'
import { helpText } from '#test/support/help.ts'
import { startServer, type TestServer } from '#test/support/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-proxies-'))
after(() => rmSync(folder, { recursive: true }))

const page = helpText('operators/on-the-internet')

/** A block of code of the help page about the internet, by how it begins. */
function blockWith(start: string): string {
  const block = page
    .split('```')
    .find((part, i) => i % 2 === 1 && part.slice(part.indexOf('\n') + 1).startsWith(start))
  assert.ok(block, start)
  return block.slice(block.indexOf('\n') + 1)
}

const overPort = '127.0.0.1:9990'
const socketInCaddy = 'unix//run/parley/parley.sock'
const socketInNginx = 'http://unix:/run/parley/parley.sock;'

interface Proxy {
  readonly command: string
  /** The configuration of the page, for a proxy on `port`. @param target where the server is */
  configure(port: number, target: string): { file: string; text: string; args: string[] }
  /** How the page names a server on a port, and one on a socket. */
  readonly names: { readonly port: string; readonly socket: string }
  /** What stands in their place. */
  target(server: TestServer, socket: string | undefined): string
}

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    command: '/usr/sbin/nginx',
    names: { port: `http://${overPort};`, socket: socketInNginx },
    target: (server, socket) => (socket ? `http://unix:${socket};` : `${server.url};`),
    configure(port, target) {
      const file = join(folder, `nginx-${port}.conf`)
      const location = blockWith('location /').replace(`http://${overPort};`, target)
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name}-${port};`,
      )
      const text = `daemon off; master_process off; pid ${file}.pid; error_log ${file}.log;
events {}
http { access_log off; ${temporary.join(' ')}
  server { listen 127.0.0.1:${port}; ${location} } }`
      return { file, text, args: ['-e', `${file}.log`, '-c', file] }
    },
  },
  caddy: {
    command: '/usr/bin/caddy',
    names: { port: overPort, socket: socketInCaddy },
    target: (server, socket) => (socket ? `unix/${socket}` : new URL(server.url).host),
    configure(port, target) {
      const file = join(folder, `Caddyfile-${port}`)
      const site = blockWith('chat.example.com {')
        .replace('chat.example.com', `http://127.0.0.1:${port}`)
        .replace(overPort, target)
      return {
        file,
        text: `{\n  admin off\n}\n${site}`,
        args: ['run', '--adapter', 'caddyfile', '--config', file],
      }
    },
  },
}

for (const [name, proxy] of Object.entries(proxies)) {
  const isMissing = spawnSync(proxy.command, [name === 'nginx' ? '-v' : 'version']).status !== 0
  describe(`behind ${name}, as the help says`, { skip: isMissing && 'not installed' }, () => {
    for (const way of ['port', 'socket'] as const) {
      test(`through a ${way}`, async () => {
        assert.ok(page.includes(proxy.names[way]))
        const socket = way === 'socket' ? join(folder, `${name}.sock`) : undefined
        const port = await freePort()
        const listening: Listening = socket ? { socket } : {}
        const server = await startServer({
          socket: true,
          listening,
          expose: true,
          config: {
            externalUrl: `http://127.0.0.1:${port}`,
            trustedProxies: socket ? [] : ['127.0.0.1'],
            rateLimits: true,
            inspectionToken: null,
          },
        })
        const { file, text, args } = proxy.configure(port, proxy.target(server, socket))
        writeFileSync(file, text)
        const home = join(folder, `home-${port}`)
        mkdirSync(home)
        const child = spawn(proxy.command, args, {
          env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home },
          stdio: 'ignore',
        })
        try {
          await use(`http://127.0.0.1:${port}`, server, child)
        } finally {
          const gone = once(child, 'exit')
          child.kill()
          await Promise.all([gone, server.close()])
        }
      })
    }
  })
}

/** What clients do through a proxy: a poll that waits, a stream, an upload, the address of the client. */
async function use(url: string, server: TestServer, child: ChildProcess): Promise<void> {
  await answered(url, child)
  const { email, apiKey } = server.as('member')
  const headers = { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` }
  const call = async (method: string, path: string, params: Record<string, string>) => {
    const form = new URLSearchParams(params)
    const reading = method === 'GET'
    const response = await fetch(`${url}/api/v1${path}${reading ? `?${form}` : ''}`, {
      method,
      headers,
      ...(!reading && { body: form }),
    })
    return { response, reply: (await response.json()) as Record<string, never> }
  }
  const { reply: settings } = await call('GET', '/server_settings', {})
  assert.equal(settings.realm_url, url)
  const { reply: queue } = await call('POST', '/register', { event_types: '["message"]' })
  const polled = call('GET', '/events', { queue_id: queue.queue_id ?? '', last_event_id: '-1' })
  const sent = { type: 'channel', to: '4', topic: 'proxies', content: 'Through it' }
  assert.equal((await call('POST', '/messages', sent)).reply.result, 'success')
  const { events } = (await polled).reply as unknown as { events: { type: string }[] }
  assert.deepEqual(
    events.map(({ type }) => type),
    ['message'],
  )
  const params = { queue_id: queue.queue_id ?? '', last_event_id: 0 }
  const stream = await openStream(url, server.as('member'), params, {
    headers: { 'accept-encoding': 'gzip' },
  })
  assert.equal(await stream.signs(1), 1, 'before any event')
  for (let id = 1; id < 3; id++) {
    await call('POST', '/messages', sent)
    assert.equal((await stream.next())?.id, id)
  }
  server.clock.advance(30_000)
  assert.equal(await stream.signs(2), 2)
  stream.leave()
  const body = new FormData()
  // More than nginx takes without `client_max_body_size`.
  body.append('file', new File([new Uint8Array(3_000_000)], 'large.bin'))
  const upload = await fetch(`${url}/api/v1/user_uploads`, { method: 'POST', headers, body })
  assert.equal(upload.status, 200)
  // The details are for the machine itself, which nobody behind a proxy is.
  const health = (await (await fetch(`${url}/health`)).json()) as object
  assert.deepEqual(Object.keys(health), ['result', 'msg', 'status'])
  // Forged entries of the header do not make another client of one.
  const left = async (forged: string) => {
    const response = await fetch(`${url}/api/v1/server_settings`, {
      headers: { 'x-forwarded-for': forged },
    })
    return Number(response.headers.get('x-ratelimit-remaining'))
  }
  const [first, second] = [await left('192.0.2.1'), await left('192.0.2.2')]
  assert.ok(second < first, `${second} left after ${first}`)
}

async function answered(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    const isUp = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    assert.equal(child.exitCode, null, 'the proxy has ended')
    await new Promise((done) => setTimeout(done, 20))
  }
}
