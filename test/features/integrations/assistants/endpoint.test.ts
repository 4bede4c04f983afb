import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startServer } from '#test/support/server.ts'
import { connect, connections } from './connect.ts'

const server = await startServer()
const { open, closeAll } = connections(server)
after(async () => {
  await closeAll()
  await server.close()
})
const { apiKey, email } = server.as('member')

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
}

/** Posts to the endpoint, by default with the member's key. */
function post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return server.fetch('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

test('nothing that speaks the protocol is loaded before the first request', () => {
  const source = fileURLToPath(new URL('../../../../src/', import.meta.url))
  const found = new Set(['features/integrations/assistants/feature.ts'])
  const packages = new Set<string>()
  for (const file of found) {
    const text = readFileSync(join(source, file), 'utf8')
    for (const [, target = ''] of text.matchAll(
      /^(?:import|export) (?!type )[^'"]*?from '([^']+)'/gm,
    )) {
      if (target.startsWith('#')) found.add(target.slice(1))
      else if (target.startsWith('.')) found.add(join(dirname(file), target))
      else packages.add(target)
    }
  }
  assert.ok(found.size > 100)
  assert.deepEqual(
    [...packages].filter((name) => name.startsWith('@modelcontextprotocol')),
    [],
  )
  assert.ok(!found.has('features/integrations/assistants/serving.actions.ts'))
})

describe('who may connect', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  // biome-ignore format: a table reads best in columns
  const table: [what: string, authorization: string, status: number][] = [
    ['an API key',                        `Bearer ${apiKey}`,                   200],
    ['an address with its key',           basic(`${email}:${apiKey}`),          200],
    ['a wrong key',                       `Bearer ${'x'.repeat(32)}`,           401],
    ['an address with a wrong key',       basic(`${email}:${'x'.repeat(32)}`),  401],
    ['an empty token',                    'Bearer ',                            401],
    ['another scheme',                    `Digest ${apiKey}`,                   401],
    ['nothing',                           '',                                   401],
  ]
  for (const [what, authorization, status] of table) {
    const answer = status === 200 ? 'connects' : 'is told where to get a token'
    test(`a client with ${what} ${answer}`, async () => {
      const response = await post(initialize, { authorization })
      assert.equal(response.status, status)
      const challenge = response.headers.get('www-authenticate') ?? ''
      const metadata = `${server.url}/.well-known/oauth-protected-resource/mcp`
      if (status === 401)
        assert.ok(challenge.includes(`resource_metadata="${metadata}"`), challenge)
    })
  }

  test('a deactivated account is refused, also in a session that was open before', async () => {
    const leaving = await server.enroll('Leaving Soon')
    const client = await connect(server, leaving)
    await server.as('owner').del(`/users/${leaving.id}`)
    await assert.rejects(client.listTools(), /401|deactivated|unauthorized/i)
    await client.close().catch(() => {})
  })
})

describe('pages of other sites', () => {
  for (const [origin, status] of [
    ['https://evil.example.com', 403],
    ['null', 403],
    [server.url, 200],
    ['http://localhost:6274', 200],
  ] as const) {
    test(`a page of ${origin} is ${status === 200 ? 'served' : 'refused'}`, async () => {
      assert.equal((await post(initialize, { origin })).status, status)
    })
  }
})

describe('requests that are wrong', () => {
  const call = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params })
  // biome-ignore format: a table reads best in columns
  const table: [what: string, body: unknown, status: number, code: number][] = [
    ['that is not JSON',             '{"jsonrpc":',                    400, -32700],
    ['that is empty',                '',                               400, -32700],
    ['that is no call',              { hello: 'world' },               400, -32600],
    ['of an unknown method',         call('tools/destroy'),            200, -32601],
    ['with too many calls',          Array(11).fill(call('ping')),     400, -32600],
  ]
  for (const [what, body, status, code] of table) {
    test(`a request ${what} gets an error of the protocol`, async () => {
      const response = await post(body)
      const text = await response.text()
      assert.equal(response.status, status, text)
      assert.ok(text.includes(`"code":${code}`), text)
    })
  }

  test('what is streamed passes proxies as it comes', async () => {
    const response = await post(initialize)
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.equal(response.headers.get('x-accel-buffering'), 'no')
  })

  test('a session that is unknown, or of someone else, is not found', async () => {
    const opened = await post(initialize)
    const session = opened.headers.get('mcp-session-id') ?? ''
    assert.notEqual(session, '')
    const ping = call('ping')
    assert.equal((await post(ping, { 'mcp-session-id': session })).status, 200)
    assert.equal((await post(ping, { 'mcp-session-id': 'unknown' })).status, 404)
    const authorization = `Bearer ${server.as('admin').apiKey}`
    assert.equal((await post(ping, { 'mcp-session-id': session, authorization })).status, 404)
  })
})

describe('revisions of the protocol', () => {
  for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    test(`a client of ${revision} is answered in it`, async () => {
      const params = { ...initialize.params, protocolVersion: revision }
      const response = await post({ ...initialize, params })
      assert.ok((await response.text()).includes(`"protocolVersion":"${revision}"`))
    })
  }

  test('a client of the newest revision lists the tools without a session', async () => {
    const client = await open(server.as('member'), { mode: 'auto' })
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28')
    assert.ok(Array.isArray((await client.listTools()).tools))
  })

  test('a client that leaves out the handshake is answered', async () => {
    const response = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    assert.equal(response.status, 200)
    assert.ok((await response.text()).includes('"tools"'))
  })

  test('a client with a session lists the tools and ends it', async () => {
    const client = await open(server.as('member'))
    await client.ping()
    assert.ok(Array.isArray((await client.listTools()).tools))
  })
})
