import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { networkOf } from '#platform/http/networks.ts'
import { failure, success } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer({ socket: true, expose: true })
after(server.close)

const { apiKey, email } = server.as('member')
const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`
const authorization = basic(`${email}:${apiKey}`)
const form = 'application/x-www-form-urlencoded'

interface Raw {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer> | FormData
}

async function call(path: string, { method = 'GET', headers = {}, body }: Raw = {}) {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization, ...headers },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const sent = () => server.server.context.store.db.$client.prepare('SELECT count(*) FROM messages')
const countMessages = () => sent().pluck().get()

describe('who is let in', () => {
  const notLoggedIn = failure(
    'Not logged in: API authentication or user session required',
    'UNAUTHORIZED',
  )
  const badKey = failure('Invalid API key', 'INVALID_API_KEY')
  const malformed = 'This endpoint requires HTTP basic authentication.'
  // biome-ignore format: a table reads best in columns
  const table: [string, string | undefined, object][] = [
    ['no credentials',            undefined,                          notLoggedIn],
    ['an unknown address',        basic(`nobody@zulip.com:${apiKey}`), badKey],
    ['a wrong key',               basic(`${email}:${'x'.repeat(32)}`), badKey],
    ['an empty key',              basic(`${email}:`),                 badKey],
    ["another user's key",        basic(`iago@zulip.com:${apiKey}`),  badKey],
    ['another scheme',            'Bearer abc',                       failure(malformed, 'UNAUTHORIZED')],
    ['what is not base64',        'Basic §§§',                        failure(malformed, 'UNAUTHORIZED')],
    ['a scheme and nothing else', 'Basic',                            failure(malformed, 'UNAUTHORIZED')],
    ['no colon',                  basic('hamlet'), failure('Invalid authorization header for basic auth', 'UNAUTHORIZED')],
  ]
  for (const [what, header, expected] of table) {
    test(`${what} is answered with 401`, async () => {
      const headers: Record<string, string> =
        header === undefined ? {} : { authorization: Buffer.from(header).toString('latin1') }
      const response = await fetch(`${server.url}/api/v1/users/me`, { headers })
      assert.equal(response.status, 401)
      assert.deepEqual(await response.json(), expected)
    })
  }

  test('the real and the API address both work, in any case of letters', async () => {
    for (const address of [email, email.toUpperCase(), 'user10@zulipdev.com']) {
      const reply = await call('/api/v1/users/me', {
        headers: { authorization: basic(`${address}:${apiKey}`) },
      })
      assert.equal(reply.body.user_id, server.ids.member)
    }
  })
})

test('what needs no account is answered whatever the credentials are', async () => {
  for (const header of [basic(`${email}:wrong`), 'Bearer abc', authorization]) {
    const reply = await call('/api/v1/server_settings', { headers: { authorization: header } })
    assert.equal(reply.body.result, 'success')
  }
})

describe('where parameters may be', () => {
  const direct = { type: 'direct', to: `[${server.ids.member}]`, content: 'Note to self' }
  const pairs = new URLSearchParams(direct).toString()
  const multipart = new FormData()
  for (const [name, value] of Object.entries(direct)) multipart.set(name, value)
  const requests: [string, string, Raw][] = [
    ['in the query', `?${pairs}`, {}],
    ['in a form', '', { headers: { 'content-type': form }, body: pairs }],
    ['in a form without a content type', '', { headers: { 'content-type': '' }, body: pairs }],
    ['in a multipart body', '', { body: multipart }],
    ['in both, when they agree', `?${pairs}`, { headers: { 'content-type': form }, body: pairs }],
  ]
  for (const [where, query, request] of requests) {
    test(`parameters are read ${where}`, async () => {
      const reply = await call(`/api/v1/messages${query}`, { method: 'POST', ...request })
      assert.deepEqual(reply.body, { ...success, id: reply.body.id })
    })
  }

  test('repeated slashes are one', async () => {
    const reply = await call('//api/v1//users//me')
    assert.equal(reply.body.user_id, server.ids.member)
  })

  test('numbers and words may come in JSON quotes', async () => {
    const reply = await server.as('member').post('/register', {
      event_types: '["message"]',
      idle_queue_timeout: '"mobile"',
      apply_markdown: '"true"',
    })
    assert.equal(reply.idle_queue_timeout_secs, 12 * 3600)
  })

  test('what the endpoint does not know is named', async () => {
    const reply = await server.as('member').get('/users/me', { dont_block: true, foo: 'bar' })
    assert.deepEqual(reply.ignored_parameters_unsupported, ['dont_block', 'foo'])
  })
})

describe('malformed requests', () => {
  const post = (body: string | Uint8Array<ArrayBuffer>, type = form): Raw => ({
    method: 'POST',
    headers: { 'content-type': type },
    body,
  })
  const direct = `type=direct&to=[${server.ids.member}]`
  const badText = failure('Argument "content" holds characters that are not allowed.')
  const badUtf8 = failure('The request is not valid UTF-8.')
  const deep = '['.repeat(20_000)
  // biome-ignore format: a table reads best in columns
  const table: [string, string, Raw, number, object][] = [
    ['bad JSON',           '/messages/flags', post('messages=[1,&op=add&flag=read'), 400, failure('Argument "messages" is not valid JSON.')],
    ['a wrong type',       '/messages/flags', post('messages={}&op=add&flag=read'), 400, failure('messages is not a list')],
    ['a wrong item',       '/messages/flags', post('messages=[1,"a"]&op=add&flag=read'), 400, failure('messages[1] is not an integer')],
    ['a fraction',         '/messages/flags', post('messages=[1.5]&op=add&flag=read'), 400, failure('messages[0] is not an integer')],
    ['a huge integer',     '/messages/flags', post('messages=[1e400]&op=add&flag=read'), 400, failure('messages[0] is not an integer')],
    ['a bad choice',       '/messages/flags', post('messages=[1]&op=toggle&flag=read'), 400, failure('Invalid op')],
    ['deep JSON',          '/messages/flags', post(`messages=${deep}&op=add&flag=read`), 400, failure('Argument "messages" is nested too deeply.')],
    ['closed deep JSON',   '/messages/flags', post(`messages=${'['.repeat(900)}${']'.repeat(900)}&op=add&flag=read`), 400, failure('Argument "messages" is nested too deeply.')],
    ['a missing one',      '/messages', post(direct), 400, failure("Missing 'content' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'content' })],
    ['a repeated one',     '/messages', post(`${direct}&content=a&content=b`), 400, failure('Argument "content" was sent more than once.')],
    ['two names for one',  '/messages', post('type=channel&to=3&topic=a&subject=b&content=c'), 400, failure("Can't decide between 'topic' and 'subject' arguments")],
    ['bad UTF-8 escapes',  '/messages', post(`${direct}&content=%ff%fe`), 400, badUtf8],
    ['bad UTF-8 bytes',    '/messages', post(new Uint8Array([...Buffer.from(`${direct}&content=`), 0xff, 0xfe])), 400, badUtf8],
    ['a NUL byte',         '/messages', post(`${direct}&content=a%00b`), 400, badText],
    ['a NUL in JSON',      '/messages/flags', post('messages=["\\u0000"]&op=add&flag=read'), 400, failure('Argument "messages" holds characters that are not allowed.')],
    ['a lone surrogate',   '/register', post('event_types=["\\ud800"]'), 400, failure('Argument "event_types" holds characters that are not allowed.')],
    ['a JSON body',        '/messages', post('{"type":"direct"}', 'application/json'), 400, failure('Parameters must be form-encoded, not a JSON body.')],
    ['a broken multipart', '/messages', post('--x\r\nnonsense', 'multipart/form-data; boundary=x'), 400, failure('The multipart body is malformed.')],
    ['a boundless multipart', '/messages', post('--x\r\nnonsense', 'multipart/form-data'), 400, failure('The multipart body is malformed.')],
    ['a wrong method',     '/messages', { method: 'PUT' }, 405, failure('Method Not Allowed', 'METHOD_NOT_ALLOWED')],
    ['an unknown path',    '/no/such/thing', {}, 404, failure('Not found', 'NOT_FOUND')],
    ['a bad path escape',  '/messages/%ff', {}, 404, failure('Not found', 'NOT_FOUND')],
    ['a huge body',        '/messages', post(`${direct}&content=${'a'.repeat(5_000_000)}`), 413, failure('The request is too large (limit: 1048576 bytes).', 'REQUEST_TOO_LARGE')],
    ['a long text',        '/messages', post(`${direct}&content=${'a'.repeat(250_001)}`), 400, failure('content is too long (limit: 250000 characters)')],
  ]
  test('a JSON object without members is no parameters', async () => {
    for (const body of ['{}', ' {\n} \n']) {
      const reply = await call('/api/v1/messages', post(body, 'application/json'))
      assert.deepEqual(
        reply.body,
        failure("Missing 'type' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'type' }),
      )
    }
  })

  for (const [what, path, request, status, expected] of table) {
    test(`${what} is refused in the envelope, and nothing is written`, async () => {
      const before = countMessages()
      const reply = await call(`/api/v1${path}`, request)
      assert.deepEqual(reply.body, expected)
      assert.equal(reply.status, status)
      assert.equal(countMessages(), before)
    })
  }

  test('a body cut short ends the request without an answer or a trace', async () => {
    const before = countMessages()
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(
      `POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
        `Content-Type: ${form}\r\nContent-Length: 500\r\n\r\n${direct}&content=half`,
    )
    socket.resume()
    await new Promise((done) => socket.once('close', done))
    assert.equal(countMessages(), before)
  })
})

test('an allowed method is named with 405, and OPTIONS lists them', async () => {
  const wrong = await call('/api/v1/typing', { method: 'GET' })
  assert.equal(wrong.headers.get('allow'), 'POST')
  const preflight = await fetch(`${server.url}/api/v1/messages`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
})

test('every answer carries a request id', async () => {
  const [one, two] = await Promise.all([call('/api/v1/users/me'), call('/api/v1/users/me')])
  assert.match(one.headers.get('x-request-id') ?? '', /^[0-9a-f]{24}$/)
  assert.notEqual(one.headers.get('x-request-id'), two.headers.get('x-request-id'))
})

test('the server tells that it is well without asking who wants to know', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  const response = await fetch(`${server.url}/health`, { headers })
  assert.deepEqual(await response.json(), { ...success, status: 'ok' })
})

test('beyond the rate limit a call is answered with 429 and when to come back', async () => {
  const limited = await startServer({ socket: true, config: { rateLimits: true } })
  try {
    const login = () =>
      limited.anonymous.post('/fetch_api_key', { username: 'a@b.example', password: 'x' })
    for (let i = 0; i < 10; i++) assert.equal((await login()).code, 'AUTHENTICATION_FAILED')
    const refused = await login()
    assert.equal(refused.status, 429)
    assert.deepEqual(
      refused,
      failure('API usage exceeded rate limit', 'RATE_LIMIT_HIT', { 'retry-after': 30 }),
    )
    limited.clock.advance(30_000)
    assert.equal((await login()).code, 'AUTHENTICATION_FAILED')
  } finally {
    await limited.close()
  }
})

describe('whom a proxy speaks for', () => {
  // biome-ignore format: a table reads best in columns
  const table: [what: string, trusted: string[], said: string[], together: boolean][] = [
    ['nobody, unless it is trusted',             [],                          ['192.0.2.1', '192.0.2.2'], true],
    ['clients apart',                            ['127.0.0.0/8', '::1'],      ['192.0.2.1', '192.0.2.2'], false],
    ['the same client',                          ['127.0.0.0/8', '::1'],      ['192.0.2.1', '192.0.2.1'], true],
    ['the last of what it was told itself',      ['127.0.0.0/8', '::1'],      ['7.7.7.7, 192.0.2.1', '8.8.8.8, 192.0.2.1'], true],
    ['what a trusted one before it says',        ['127.0.0.1', '10.0.0.0/8'], ['192.0.2.1, 10.0.0.1', '192.0.2.2, 10.0.0.2'], false],
    ['itself, where that is no address',         ['127.0.0.0/8', '::1'],      ['x', 'y'], true],
    ['itself, where it says nothing',            ['127.0.0.0/8', '::1'],      ['', ''], true],
  ]
  for (const [what, trustedProxies, said, together] of table) {
    test(what, async () => {
      const limited = await startServer({
        socket: true,
        config: { rateLimits: true, trustedProxies },
      })
      const login = async (by: string) => {
        const response = await fetch(`${limited.url}/api/v1/fetch_api_key`, {
          method: 'POST',
          headers: { 'x-forwarded-for': by },
          body: new URLSearchParams({ username: 'a@b.example', password: 'x' }),
        })
        return response.status
      }
      const [one = '', other = ''] = said
      for (let i = 0; i < 10; i++) assert.equal(await login(one), 401)
      assert.equal(await login(other), together ? 429 : 401)
      await limited.close()
    })
  }
})

describe('whose calls are counted together', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, string, string, boolean][] = [
    ['one IPv4 address',                      '192.0.2.1',            '192.0.2.1',            true],
    ['two IPv4 addresses',                    '192.0.2.1',            '192.0.2.2',            false],
    ['two in the form of IPv6',               '::ffff:192.0.2.1',     '::ffff:192.0.2.2',     false],
    ['one in both forms',                     '::ffff:192.0.2.1',     '192.0.2.1',            true],
    ['two of one IPv6 network',               '2001:db8:1:2::1',      '2001:db8:1:2:3:4:5:6', true],
    ['two of one network, written shorter',   '2001:db8::1',          '2001:db8:0:0:7::',     true],
    ['two of different IPv6 networks',        '2001:db8:1:2::1',      '2001:db8:1:3::1',      false],
    ['two where zeros stand for one group',   '2001:db8::1:2:3:4:5',  '2001:db8::2:2:3:4:5',  false],
    ['two on one link',                       'fe80::1%eth0',         'fe80::2%eth0',         true],
  ]
  for (const [what, one, other, together] of table) {
    test(`${what}: ${together ? 'together' : 'each by itself'}`, () => {
      assert.equal(networkOf(one) === networkOf(other), together)
    })
  }
})
