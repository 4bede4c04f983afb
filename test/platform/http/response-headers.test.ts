import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, describe, test } from 'node:test'
import { createServer } from '#program/server.ts'
import { plainFetch } from '#test/support/conformance.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer({ socket: true })
after(server.close)
const exposed = await startServer({ socket: true, expose: true })
after(exposed.close)
const secure = await startServer({
  socket: true,
  config: { externalUrl: 'https://chat.example.com' },
})
after(secure.close)

const basic = ({ email, apiKey }: { email: string; apiKey: string }) =>
  `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
const authorization = basic(server.as('member'))

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** A request whose `Host` and other headers are as given, which `fetch` does not allow. */
function raw(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const { statusCode = 0, headers } = response
        resolve({ status: statusCode, headers, body: Buffer.concat(parts).toString() })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('every response', () => {
  const paths = [
    ['GET', '/api/v1/users/me', 200],
    ['GET', '/api/v1/server_settings', 200],
    ['GET', '/api/v1/messages/1', 400],
    ['GET', '/api/v1/nothing', 404],
    ['PUT', '/api/v1/messages', 405],
    ['OPTIONS', '/api/v1/messages', 204],
    ['GET', '/json/users/me', 401],
    ['GET', '/health', 200],
    ['GET', '/api/', 200],
    ['GET', '/api/v1/openapi.json', 200],
    ['GET', '/login/', 200],
    ['GET', '/', 303],
    ['GET', '/connect', 303],
    ['GET', '/nothing', 404],
    ['GET', '/user_avatars/10.png', 200],
    ['GET', '/user_uploads/2/none', 404],
    ['POST', '/control', 404],
    ['OPTIONS', '/api/v1/tus', 204],
  ] as const
  for (const [method, path, status] of paths) {
    test(`${method} ${path}: nothing is guessed, nothing is kept, nothing goes by plain HTTP`, async () => {
      const init = { method, redirect: 'manual', headers: { authorization } } as const
      const plain = await plainFetch(server.url + path, init)
      const tls = await plainFetch(secure.url + path, init)
      for (const response of [plain, tls]) {
        await response.arrayBuffer()
        assert.equal(response.status, status)
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
        const caching = response.headers.get('cache-control') ?? ''
        if (!path.startsWith('/user_avatars')) assert.match(caching, /no-store/)
      }
      assert.equal(plain.headers.get('strict-transport-security'), null)
      assert.match(tls.headers.get('strict-transport-security') ?? '', /^max-age=\d{7,}$/)
    })
  }

  test('of a poll that waited as well', async () => {
    const queue = await server.as('member').watch('message')
    const query = `queue_id=${queue.queueId}&last_event_id=-1`
    const poll = plainFetch(`${server.url}/api/v1/events?${query}`, { headers: { authorization } })
    await server.say('outsider', ['member'])
    const { headers, status } = await poll
    assert.equal(status, 200)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cache-control'), 'no-store')
  })
})

describe('the development organization', () => {
  const key = '/api/v1/dev_fetch_api_key'
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const who = 'username=iago%40zulip.com'
  const { port } = new URL(server.url)
  const ask = (
    headers: Record<string, string>,
    method = 'POST',
    path: string = key,
    url = server.url,
  ) => raw(url, method, path, { ...form, ...headers }, method === 'POST' ? who : undefined)

  for (const host of [
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
    'LOCALHOST',
    '127.3.2.1:1',
  ]) {
    test(`answers as ${host}`, async () => {
      const reply = await ask({ host })
      assert.equal(reply.status, 200, reply.body)
      assert.equal(reply.headers['access-control-allow-origin'], undefined)
    })
  }

  const foreignHosts = [
    'evil.example',
    `evil.example:${port}`,
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '0.0.0.0',
  ]
  const everything = [
    ['POST', key],
    ['GET', '/api/v1/dev_list_users'],
    ['POST', '/dev/reset'],
    ['GET', '/api/v1/server_settings'],
    ['OPTIONS', '/api/v1/messages'],
    ['GET', '/login/'],
    ['GET', '/nothing'],
  ] as const
  for (const host of foreignHosts) {
    test(`refuses whatever is asked of ${host}, and says why`, async () => {
      for (const [method, path] of everything) {
        const reply = await ask({ host }, method, path)
        assert.equal(reply.status, 400, `${method} ${path}`)
        assert.match(reply.body, /--expose/)
        assert.equal(reply.headers['access-control-allow-origin'], undefined)
      }
      assert.equal((await ask({ host }, 'POST', key, exposed.url)).status, 200)
    })
  }

  for (const origin of [
    'https://evil.example',
    'null',
    'http://localhost.evil.example',
    'file://',
  ]) {
    test(`refuses web pages of ${origin}, before anything happens`, async () => {
      for (const [method, path] of everything) {
        const preflight = { 'access-control-request-method': 'POST' }
        const reply = await ask({ origin, ...(method === 'OPTIONS' && preflight) }, method, path)
        assert.equal(reply.status, 403, `${method} ${path}`)
        assert.equal(reply.headers['access-control-allow-origin'], undefined)
      }
      const reply = await ask({ origin }, 'POST', key, exposed.url)
      assert.equal(reply.status, 200)
      assert.equal(reply.headers['access-control-allow-origin'], '*')
    })
  }

  test("serves web apps of the developer's own machine, and them alone", async () => {
    const origin = 'http://localhost:5173'
    const reply = await ask({ origin })
    assert.equal(reply.status, 200)
    assert.equal(reply.headers['access-control-allow-origin'], origin)
    assert.equal(reply.headers.vary, 'Origin')
    const asked = { origin, 'access-control-request-method': 'POST' }
    const preflight = await ask(asked, 'OPTIONS')
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers['access-control-allow-origin'], origin)
  })
})

describe('without PARLEY_URL', () => {
  const host = 'evil.example'
  const owner = basic(exposed.as('owner'))

  test('no response to any request has the name that the client sent as Host', async () => {
    const asked = [
      ['GET', '/'],
      ['GET', '/connect'],
      ['GET', '/login/'],
      ['GET', '/join/nothing'],
      ['GET', '/api/v1/server_settings'],
      ['GET', '/api/v1/dev_list_users'],
      ['POST', '/api/v1/register'],
      ['POST', '/api/v1/invites/multiuse'],
      ['GET', '/api/v1/invites'],
      ['GET', '/api/v1/export/realm'],
      ['OPTIONS', '/api/v1/tus'],
    ] as const
    for (const [method, path] of asked) {
      const reply = await raw(exposed.url, method, path, { host, authorization: owner })
      assert.ok(reply.status < 500, path)
      const all = reply.body + JSON.stringify(reply.headers)
      assert.ok(!all.includes(host), `${method} ${path}: ${all}`)
    }
  })

  test('clients learn the address that they came to where it is one of this machine', async () => {
    const { port } = new URL(exposed.url)
    // biome-ignore format: a table reads best in columns
    const table: [string, string][] = [
      [`localhost:${port}`, `http://localhost:${port}`],
      [`127.0.0.1:${port}`, exposed.url],
      ['evil.example',      exposed.url],
      [`10.9.8.7:${port}`,  exposed.url],
    ]
    for (const [asked, expected] of table) {
      const reply = await raw(exposed.url, 'GET', '/api/v1/server_settings', { host: asked })
      assert.equal(JSON.parse(reply.body).realm_url, expected)
    }
  })

  test('a server on all interfaces names one that leads to it', async () => {
    const all = await createServer({
      data: ':memory:',
      port: 0,
      host: '0.0.0.0',
      config: { logLevel: 'silent' },
    })
    assert.equal(all.context.realmUrl, `http://127.0.0.1:${new URL(all.url).port}`)
    await all.close()
  })
})
