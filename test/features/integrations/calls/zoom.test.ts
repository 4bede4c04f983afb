import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { findUser, updateUser } from '#features/foundation/users/queries.ts'
import { zoomTokens } from '#platform/store/schema.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer, type TestServer } from '#test/support/server.ts'
import { type Asked, browserCookies, follow, startVendor } from '#test/support/vendor.ts'

const vendor = await startVendor()
const { asked, host } = vendor
const secret = 'zoom-Secret.1'
const config = {
  allowedNetworks: ['127.0.0.1'],
  zoomUrl: `http://app%20id:${secret}@${host}`,
  zoomSecret: 'token of the app',
  zoomApiUrl: `http://${host}/v2`,
}

const json = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status).end(JSON.stringify(body))
const link = 'https://us02web.zoom.us/j/123?pwd=a.1'
const meetingOf = (host_id: unknown) => json(201, { id: 1, join_url: link, host_id })
const meeting = meetingOf('z9jkdsfsdfjhdkfjQ')
const tokens = (n: number, expires_in: number) =>
  json(200, { access_token: `access-${n}`, refresh_token: `refresh-${n}`, expires_in })
const notConnected = failure('Connect your account with Zoom first.', 'INVALID_ZOOM_TOKEN')

/** How Zoom answers requests for tokens and for meetings. */
let give: (response: ServerResponse, request: Asked) => void
let open: (response: ServerResponse, request: Asked) => void
vendor.answer = (response, request) => {
  if (request.url.pathname === '/oauth/token') give(response, request)
  else open(response, request)
}
const forms = () =>
  asked
    .filter(({ url }) => url.pathname === '/oauth/token')
    .map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
const meetings = () => asked.filter(({ url }) => url.pathname.startsWith('/v2/'))

beforeEach(() => {
  asked.length = 0
  give = tokens(1, 3600)
  open = meeting
})

const choose = async (server: TestServer, id: number) =>
  assert.deepEqual(await server.as('owner').patch('/realm', { video_chat_provider: id }), success)

describe('calls in the Zoom account of each user', () => {
  let server: TestServer
  let cookie: string
  before(async () => {
    server = await startServer({ config })
    await choose(server, 3)
    cookie = await browserCookies(server, 'hamlet@zulip.com')
  })
  after(() => server.close())
  beforeEach(() => server.server.context.store.write((tx) => void tx.db.delete(zoomTokens).run()))

  const create = (params = {}) => server.as('member').post('/calls/zoom/create', params)

  /** The state that Zoom is to send back. */
  async function begin(as = cookie): Promise<string> {
    const { status, headers } = await follow(server, '/calls/zoom/register', as)
    assert.equal(status, 303)
    assert.equal(headers.get('cache-control'), 'no-store')
    const there = new URL(headers.get('location') ?? '')
    assert.equal(there.origin + there.pathname, `http://${host}/oauth/authorize`)
    const { state, ...rest } = Object.fromEntries(there.searchParams)
    assert.deepEqual(rest, {
      response_type: 'code',
      client_id: 'app id',
      redirect_uri: `${server.url}/calls/zoom/complete`,
    })
    return state ?? ''
  }
  const finish = (state: string, query = 'code=c1', as = cookie) =>
    follow(server, `/calls/zoom/complete?${query}&state=${encodeURIComponent(state)}`, as)
  const connect = async () => assert.equal((await finish(await begin())).status, 200)

  test('a call needs a connection, and asks nobody before', async () => {
    assert.deepEqual(await create(), notConnected)
    assert.equal(asked.length, 0)
  })

  test('a connection is made by way of Zoom, and all clients of the user hear of it', async () => {
    const queue = await server.as('member').watch('video_calls', 'has_zoom_token')
    assert.equal(queue.state.has_zoom_token, false)
    const { status, text } = await finish(await begin())
    assert.deepEqual([status, /Connected with Zoom/.test(text)], [200, true])
    assert.deepEqual(forms(), [
      {
        grant_type: 'authorization_code',
        code: 'c1',
        redirect_uri: `${server.url}/calls/zoom/complete`,
      },
    ])
    const basic = Buffer.from(`app id:${secret}`).toString('base64')
    assert.equal(asked[0]?.headers.authorization, `Basic ${basic}`)
    assert.deepEqual(await queue.drain(), [{ type: 'has_zoom_token', value: true }])
    const { state } = await server.as('member').watch('video_calls')
    assert.equal(state.has_zoom_token, true)
    // A connection is nobody else's.
    assert.equal((await server.as('outsider').watch('video_calls')).state.has_zoom_token, false)
  })

  test('a call is a meeting of the user, with or without cameras', async () => {
    await connect()
    assert.deepEqual(await create(), { ...success, url: link })
    assert.deepEqual(await create({ is_video_call: false }), { ...success, url: link })
    const [video, voice] = meetings()
    assert.equal(video?.url.pathname, '/v2/users/me/meetings')
    assert.equal(video.headers.authorization, 'Bearer access-1')
    const settings = (on: boolean) => ({
      type: 1,
      settings: { host_video: on, participant_video: on },
    })
    assert.deepEqual(JSON.parse(video.body), settings(true))
    assert.deepEqual(JSON.parse(voice?.body ?? ''), settings(false))
  })

  test('tokens are stored encrypted', async () => {
    await connect()
    const [row] = server.server.context.store.db.select().from(zoomTokens).all()
    assert.ok(row)
    for (const text of ['access', 'refresh', Buffer.from('access').toString('base64url')]) {
      assert.equal(row.sealed.includes(text), false)
    }
  })

  // biome-ignore format: a table reads best in columns
  const strangers: [what: string, state: () => Promise<string>, as?: () => Promise<string>][] = [
    ['no state',                        async () => ''],
    ['a state of nobody',               async () => 'AAAA'.repeat(20)],
    ['a state that somebody changed',   async () => `${(await begin()).slice(0, -3)}AAA`],
    ['the state of another session',    async () => begin(await browserCookies(server, 'hamlet@zulip.com'))],
    ['the state of another person',     async () => begin(await browserCookies(server, 'othello@zulip.com'))],
  ]
  for (const [what, state] of strangers) {
    test(`${what} connects nothing, and gives Zoom nothing`, async () => {
      const { status } = await finish(await state())
      assert.deepEqual([status, asked.length], [400, 0])
      assert.deepEqual(await create(), notConnected)
    })
  }

  test('an answer of Zoom counts for half an hour', async () => {
    const state = await begin()
    server.clock.advance(1801_000)
    assert.deepEqual([(await finish(state)).status, asked.length], [400, 0])
  })

  test('people who are not logged in are asked to', async () => {
    const state = await begin()
    assert.equal((await follow(server, '/calls/zoom/register')).status, 401)
    assert.equal((await finish(state, 'code=c1', '')).status, 401)
    assert.equal(asked.length, 0)
  })

  test('whoever refuses at Zoom is not connected', async () => {
    const { status } = await finish(await begin(), 'error=access_denied')
    assert.deepEqual([status, asked.length], [400, 0])
  })

  test('an old access token is renewed, by a token that works once', async () => {
    give = tokens(1, 30)
    await connect()
    asked.length = 0
    give = tokens(2, 3600)
    const both = await Promise.all([create(), create()])
    assert.deepEqual(both, Array(2).fill({ ...success, url: link }))
    assert.deepEqual(forms(), [{ grant_type: 'refresh_token', refresh_token: 'refresh-1' }])
    assert.deepEqual(
      meetings().map(({ headers }) => headers.authorization),
      ['Bearer access-2', 'Bearer access-2'],
    )
    await create()
    assert.equal(forms().length, 1)
  })

  test('an access token that Zoom takes no longer is renewed as well', async () => {
    await connect()
    open = (response, request) => {
      if (request.headers.authorization === 'Bearer access-1') response.writeHead(401).end('{}')
      else meeting(response)
    }
    give = tokens(2, 3600)
    assert.deepEqual(await create(), { ...success, url: link })
  })

  test('a connection that the user ended at Zoom ends here', async () => {
    await connect()
    const queue = await server.as('member').watch('has_zoom_token')
    open = json(401, { code: 124 })
    give = json(400, { reason: 'Invalid Token!', error: 'invalid_grant' })
    assert.deepEqual(await create(), notConnected)
    assert.deepEqual(await queue.drain(), [{ type: 'has_zoom_token', value: false }])
    asked.length = 0
    assert.deepEqual(await create(), notConnected)
    assert.equal(asked.length, 0)
  })

  test('an error of the app at Zoom ends no connection', async () => {
    give = tokens(1, 30)
    await connect()
    give = json(401, { error: 'invalid_client' })
    assert.deepEqual(await create(), failure('The call could not be created: Zoom failed.'))
    give = tokens(2, 3600)
    assert.deepEqual(await create(), { ...success, url: link })
  })

  // biome-ignore format: a table reads best in columns
  const answers: [what: string, answer: (response: ServerResponse) => void][] = [
    ['no JSON',                     (response) => response.writeHead(201).end('<html>')],
    ['another form',                json(201, { join_url: 1 })],
    ['a script for a link',         json(201, { join_url: 'javascript:alert(1)' })],
    ['a link with a password',      json(201, { join_url: 'https://me:secret@zoom.us/j/1' })],
    ['a link without end',          json(201, { join_url: `https://zoom.us/j/${'1'.repeat(2000)}` })],
    ['a refusal',                   json(429, { code: 429, message: 'app id:zoom-Secret.1' })],
    ['a refusal for a token twice', json(401, {})],
    ['a broken connection',         (response) => response.destroy()],
    ['an endless answer',           (response) => response.writeHead(201).end(Buffer.alloc(100_000, ' '))],
  ]
  for (const [what, answer] of answers) {
    test(`${what} is an error that says nothing of the account`, async () => {
      await connect()
      open = answer
      assert.deepEqual(await create(), failure('The call could not be created: Zoom failed.'))
    })
  }

  // biome-ignore format: a table reads best in columns
  const grants: [what: string, answer: (response: ServerResponse) => void][] = [
    ['no JSON',                (response) => response.end('<html>')],
    ['no token to renew with', json(200, { access_token: 'a', expires_in: 1 })],
    ['a token with a line',    json(200, { access_token: 'a\r\nb: c', refresh_token: 'r', expires_in: 1 })],
    ['a time of no sense',     json(200, { access_token: 'a', refresh_token: 'r', expires_in: 1e300 })],
    ['a code that was used',   json(400, { error: 'invalid_grant' })],
  ]
  for (const [what, answer] of grants) {
    test(`${what} in place of tokens connects nothing`, async () => {
      give = answer
      assert.equal((await finish(await begin())).status, 400)
      assert.deepEqual(await create(), notConnected)
    })
  }

  test('the characters of a link end no Markdown', async () => {
    await connect()
    open = json(201, { join_url: 'https://zoom.us/j/1?a=)[b](c' })
    const { url } = (await create()) as unknown as { url: string }
    assert.equal(url, 'https://zoom.us/j/1?a=%29[b]%28c')
  })

  test('whoever is deactivated is connected no longer', async () => {
    const connected = await browserCookies(server, 'othello@zulip.com')
    assert.equal((await finish(await begin(connected), 'code=c', connected)).status, 200)
    const count = () => server.server.context.store.db.select().from(zoomTokens).all().length
    assert.equal(count(), 1)
    const owner = server.as('owner')
    assert.deepEqual(await owner.del(`/users/${server.ids.othello}`), success)
    assert.equal(count(), 0)
    assert.deepEqual(await owner.post(`/users/${server.ids.othello}/reactivate`), success)
  })

  test('another secret of the app ends the connections', async () => {
    await connect()
    const { config: known } = server.server.context
    const before = known.zoomUrl
    const queue = await server.as('member').watch('has_zoom_token', 'video_calls')
    assert.equal(queue.state.has_zoom_token, true)
    Object.assign(known, { zoomUrl: `http://app%20id:other@${host}` })
    try {
      const { state } = await server.as('member').watch('video_calls')
      assert.equal(state.has_zoom_token, false)
      assert.deepEqual(await create(), notConnected)
      // Clients that are open have to connect again before they can start a call.
      assert.deepEqual(await queue.drain(), [{ type: 'has_zoom_token', value: false }])
    } finally {
      Object.assign(known, { zoomUrl: before })
    }
  })
})

describe('notices of Zoom', () => {
  let server: TestServer
  before(async () => {
    server = await startServer({ config: { ...config, rateLimits: true } })
    await choose(server, 3)
  })
  after(() => server.close())

  /** Connects people with Zoom, and makes a call of each. */
  async function connect(zoomUserId: unknown, ...names: Actor[]): Promise<void> {
    open = meetingOf(zoomUserId)
    for (const name of names) {
      const cookie = await browserCookies(server, server.as(name).email)
      const { headers } = await follow(server, '/calls/zoom/register', cookie)
      const state = new URL(headers.get('location') ?? '').searchParams.get('state') ?? ''
      const complete = `/calls/zoom/complete?code=c&state=${encodeURIComponent(state)}`
      assert.equal((await follow(server, complete, cookie)).status, 200)
      assert.deepEqual(await server.as(name).post('/calls/zoom/create', {}), {
        ...success,
        url: link,
      })
    }
  }
  const connected = async (...names: Actor[]) =>
    await Promise.all(
      names.map(async (name) => (await server.as(name).watch('video_calls')).state.has_zoom_token),
    )

  const removal = (user_id: unknown, client_id: unknown = 'app id') => ({
    event: 'app_deauthorized',
    event_ts: 1_749_365_726_209,
    payload: {
      account_id: 'MXEuWmOmTsKWUswrfpPslg',
      client_id,
      deauthorization_time: '2025-06-08T06:55:26.209Z',
      signature: '18f3b817cd03d164190b0d72755fdf51a33484ed89872838633adf0295fd99d5',
      user_data_retention: null,
      user_id,
    },
  })
  const now = () => Math.floor(server.clock.now() / 1000)
  const signed = (body: string, key = config.zoomSecret, time = now()) => ({
    'x-zm-request-timestamp': String(time),
    'x-zm-signature': `v0=${createHmac('sha256', key).update(`v0:${time}:${body}`).digest('hex')}`,
  })
  async function tell(notice: unknown, headers?: Record<string, string>) {
    const body = typeof notice === 'string' ? notice : JSON.stringify(notice)
    const reply = await fetch(`${server.url}/calls/zoom/deauthorize`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(headers ?? signed(body)) },
      body,
    })
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  }

  test('whoever removes the app at Zoom is connected no longer, wherever they used that account', async () => {
    await connect('zoom-user_1', 'member', 'othello')
    await connect('zoom-user-2', 'cordelia')
    const queue = await server.as('member').watch('has_zoom_token')
    assert.deepEqual(await tell(removal('zoom-user_1')), { status: 200, body: {} })
    assert.deepEqual(await connected('member', 'othello', 'cordelia'), [false, false, true])
    assert.deepEqual(await queue.drain(), [{ type: 'has_zoom_token', value: false }])
    // Zoom may send it again.
    assert.equal((await tell(removal('zoom-user_1'))).status, 200)
    assert.deepEqual(await queue.drain(), [])
  })

  test('the verification token of older apps counts as well', async () => {
    await connect('zoom-user-3', 'member')
    const headers = { authorization: config.zoomSecret }
    assert.equal((await tell(removal('zoom-user-3'), headers)).status, 200)
    assert.deepEqual(await connected('member'), [false])
  })

  test('a connection with another account at Zoom is not ended by a notice about the first', async () => {
    await connect('zoom-user-4', 'member')
    await connect('zoom-user-5', 'member')
    await tell(removal('zoom-user-4'))
    assert.deepEqual(await connected('member'), [true])
  })

  test('a renewed token belongs to the same account', async () => {
    give = tokens(1, 30)
    await connect('zoom-user-6', 'member')
    give = tokens(2, 3600)
    open = meetingOf(undefined)
    await server.as('member').post('/calls/zoom/create', {})
    await tell(removal('zoom-user-6'))
    assert.deepEqual(await connected('member'), [false])
  })

  // biome-ignore format: a table reads best in columns
  const others: [what: string, notice: () => unknown, headers: (body: string) => Record<string, string> | undefined, status: number][] = [
    ['no signature',                       () => removal('zoom-user-7'),              () => ({}),                                       401],
    ['the signature of someone else',      () => removal('zoom-user-7'),              (body) => signed(body, 'another'),                401],
    ['the signature of another body',      () => removal('zoom-user-7'),              () => signed('{}'),                               401],
    ['a signature that is six minutes old', () => removal('zoom-user-7'),             (body) => signed(body, undefined, now() - 360),   401],
    ['a wrong verification token',         () => removal('zoom-user-7'),              () => ({ authorization: 'token of the ap' }),     401],
    ['the notice of another app',          () => removal('zoom-user-7', 'other'),     () => undefined,                                  200],
    ['another notice',                     () => ({ ...removal('zoom-user-7'), event: 'meeting.started' }), () => undefined,            200],
    ['a notice about nobody',              () => removal(undefined),                  () => undefined,                                  200],
    ['a user who is no text',              () => removal(['zoom-user-7']),            () => undefined,                                  400],
    ['no JSON',                            () => '<html>',                            () => undefined,                                  400],
    ['nothing',                            () => '',                                  () => undefined,                                  400],
  ]
  for (const [what, notice, headers, status] of others) {
    test(`${what} ends no connection`, async () => {
      await connect('zoom-user-7', 'member')
      const text = notice()
      const body = typeof text === 'string' ? text : JSON.stringify(text)
      assert.equal((await tell(body, headers(body))).status, status)
      assert.deepEqual(await connected('member'), [true])
    })
  }

  test('what Zoom does not tell of itself is not kept', async () => {
    await connect({ $ne: 1 }, 'member')
    const rows = server.server.context.store.db.select().from(zoomTokens).all()
    assert.equal(rows.find(({ userId }) => userId === server.ids.member)?.zoomUserId, null)
  })

  test('Zoom learns that the address is the one of the app, and nobody else does', async () => {
    const check = {
      event: 'endpoint.url_validation',
      payload: { plainToken: 'qgg8vlvZRS6UYooatFL8Aw' },
    }
    const proof = createHmac('sha256', config.zoomSecret)
      .update('qgg8vlvZRS6UYooatFL8Aw')
      .digest('hex')
    const body = { plainToken: 'qgg8vlvZRS6UYooatFL8Aw', encryptedToken: proof }
    assert.deepEqual(await tell(check), { status: 200, body })
    assert.equal((await tell(check, {})).status, 401)
  })

  test('where no secret token is set, nothing is there', async () => {
    const { config: known } = server.server.context
    Object.assign(known, { zoomSecret: null })
    try {
      assert.equal((await tell(removal('zoom-user-7'), { authorization: '' })).status, 404)
    } finally {
      Object.assign(known, { zoomSecret: config.zoomSecret })
    }
  })
})

describe('calls in the Zoom account of the operator', () => {
  let server: TestServer
  before(async () => {
    server = await startServer({ config: { ...config, zoomAccount: 'account-1' } })
    await choose(server, 5)
  })
  after(() => server.close())
  const create = () => server.as('member').post('/calls/zoom/create', {})
  const unknown = failure(
    'Calls need a Zoom user with your confirmed email address. Ask an administrator.',
    'UNKNOWN_ZOOM_USER',
  )

  test('a call is a meeting of the Zoom user with the same address, and a token serves many', async () => {
    give = json(200, { access_token: 'server-1', expires_in: 3600 })
    assert.deepEqual(await create(), { ...success, url: link })
    assert.deepEqual(await create(), { ...success, url: link })
    assert.deepEqual(forms(), [{ grant_type: 'account_credentials', account_id: 'account-1' }])
    const [first] = meetings()
    assert.equal(first?.url.pathname, '/v2/users/hamlet%40zulip.com/meetings')
    assert.equal(first.headers.authorization, 'Bearer server-1')
  })

  test('a token is asked for again after its time, and where Zoom takes it no longer', async () => {
    give = json(200, { access_token: 'server-2', expires_in: 3600 })
    server.clock.advance(3600_000)
    await create()
    assert.equal(forms().length, 1)
    open = (response, request) => {
      if (request.headers.authorization === 'Bearer server-2') response.writeHead(401).end('{}')
      else meeting(response)
    }
    give = json(200, { access_token: 'server-3', expires_in: 3600 })
    assert.deepEqual(await create(), { ...success, url: link })
    assert.equal(forms().length, 2)
  })

  test('someone whom Zoom does not know makes no call', async () => {
    open = json(404, { code: 1001, message: 'User does not exist: hamlet@zulip.com.' })
    assert.deepEqual(await create(), unknown)
  })

  test('nobody makes calls in the name of an address that they have not confirmed', async () => {
    const { store } = server.server.context
    const confirm = (isEmailVerified: boolean) =>
      store.write((tx) => updateUser(tx, server.ids.member, { isEmailVerified }))
    await confirm(false)
    try {
      assert.deepEqual(await create(), unknown)
      assert.equal(asked.length, 0)
    } finally {
      await confirm(true)
    }
    assert.equal(findUser(store, server.ids.member)?.isEmailVerified, true)
  })

  test('there is nothing to connect', async () => {
    const cookie = await browserCookies(server, 'hamlet@zulip.com')
    assert.equal((await follow(server, '/calls/zoom/register', cookie)).status, 400)
  })
})

test('calls by Zoom are refused where it is not configured, or not chosen', async () => {
  const server = await startServer()
  const create = () => server.as('member').post('/calls/zoom/create', {})
  try {
    assert.deepEqual(await create(), failure('Zoom is not configured.'))
    Object.assign(server.server.context.config, config)
    assert.deepEqual(await create(), failure('The organization does not use Zoom for calls.'))
  } finally {
    await server.close()
  }
})
