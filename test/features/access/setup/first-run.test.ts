import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { manualClock } from '#platform/clock.ts'
import { FolderInUse } from '#platform/store/refusals.ts'
import { createServer, type Server } from '#program/server.ts'
import { openBrowser } from '#test/support/browser.ts'
import { failure } from '#test/support/replies.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-'))
after(() => rmSync(folder, { recursive: true }))

const start = () =>
  createServer({
    data: folder,
    port: 0,
    clock: manualClock(Date.UTC(2026, 0, 1)),
    config: { logLevel: 'silent' },
  })

let server: Server
before(async () => {
  server = await start()
})
after(() => server.close())

const good = {
  organization: 'Ours & theirs',
  full_name: 'Ann Example',
  email: 'ann@example.com',
  password: 'correct horse',
}

async function get(path: string, cookie = '') {
  const response = await fetch(server.url + path, { headers: { cookie }, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function submit(params: Record<string, string>, method = 'POST') {
  const response = await fetch(`${server.url}/setup`, {
    method,
    body: new URLSearchParams(params),
    redirect: 'manual',
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const tokenOf = (url: string | undefined) => new URL(url ?? '').searchParams.get('token') ?? ''

describe('before anyone has set it up', () => {
  test('the data folder is private', () => {
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    assert.equal(statSync(join(folder, 'control.json')).mode & 0o777, 0o600)
  })

  test('the API says so, whatever it is asked, and health is well', async () => {
    const notSetUp = failure(
      'This server is not set up yet. Open its first page to set it up.',
      'NOT_SET_UP',
    )
    const basic = `Basic ${Buffer.from('welcome-bot@localhost:x').toString('base64')}`
    for (const path of ['server_settings', 'users/me', 'users', 'register', 'dev_list_users']) {
      for (const headers of [{}, { authorization: basic }] as Record<string, string>[]) {
        const method = path === 'register' ? 'POST' : 'GET'
        const response = await fetch(`${server.url}/api/v1/${path}`, { method, headers })
        assert.equal(response.status, 400)
        assert.deepEqual(await response.json(), notSetUp, path)
      }
    }
    assert.equal((await get('/health')).status, 200)
  })

  test('the front page tells where the link is, without telling the link', async () => {
    const { status, text } = await get('/')
    assert.equal(status, 200)
    assert.match(text, /not set up yet/)
    assert.equal(text.includes(tokenOf(server.setupUrl)), false)
  })

  test('nothing opens without the right token', async () => {
    for (const query of ['', '?token=', `?token=${'0'.repeat(64)}`, '?token=%00']) {
      const page = await get(`/setup${query}`)
      assert.equal(page.status, 403)
      assert.equal(page.text.includes('<form'), false)
    }
    for (const token of ['', '0'.repeat(64), 'é']) {
      assert.equal((await submit({ ...good, token })).status, 403)
    }
    assert.equal((await submit(good)).status, 403)
    assert.equal((await get('/connect')).status, 403)
    assert.equal((await get('/connect/zuliprc', 'sessionid=0')).status, 403)
  })

  test('the page loads nothing, runs only what shows passwords, and is framed by nobody', async () => {
    const { headers, text } = await get(`/setup?token=${tokenOf(server.setupUrl)}`)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /form-action 'self'/)
    assert.equal(policy.includes('unsafe'), false)
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(text.match(/<script[^>]*>/g), ['<script src="/static/show-password.js">'])
  })

  test('each field has a label and a hint that belongs to it', async () => {
    const { text } = await get(`/setup?token=${tokenOf(server.setupUrl)}`)
    for (const name of ['organization', 'full_name', 'email', 'password']) {
      assert.match(text, new RegExp(`<label for="${name}">`))
      assert.match(text, new RegExp(`<input id="${name}" name="${name}"`))
      assert.match(text, new RegExp(`aria-describedby="${name}-hint"`))
    }
  })

  // biome-ignore format: a table reads best in columns
  const bad: [string, Partial<typeof good>, RegExp][] = [
    ['no organization',       { organization: ' ' },               /organization&#39;s name is missing/],
    ['a long organization',   { organization: 'x'.repeat(41) },    /too long \(limit: 40/],
    ['no name',               { full_name: '' },                   /full name is missing/],
    ['a name like a mention', { full_name: 'a**b' },               /may not contain \* \(U\+002A\), at position 2/],
    ['a name with an id',     { full_name: 'Ann|7' },              /may not end in/],
    ['a long name',           { full_name: 'x'.repeat(101) },      /too long \(limit: 100/],
    ['no address',            { email: '' },                       /address is missing/],
    ['a bad address',         { email: 'ann at example' },         /not an email address/],
    ['two addresses',         { email: 'a@b.c,d@e.f' },            /not an email address/],
    ['a placeholder address', { email: 'user7@localhost' },        /already in use/],
    ['a short password',      { password: '1234567' },             /too short/],
    ['a long password',       { password: 'x'.repeat(101) },       /too long \(at most 100/],
  ]
  for (const [name, change, problem] of bad) {
    test(`${name} is pointed out, and what was typed stays`, async () => {
      const wanted = { ...good, ...change }
      const page = await submit({ ...wanted, token: tokenOf(server.setupUrl) })
      assert.equal(page.status, 400)
      assert.match(page.text, problem)
      assert.match(page.text, /aria-invalid="true"/)
      assert.equal(page.text.includes(wanted.password), false)
      if (wanted.full_name === good.full_name) assert.match(page.text, /value="Ann Example"/)
    })
  }

  test('what is typed comes back as text, not as HTML', async () => {
    const { text } = await submit({
      ...good,
      token: tokenOf(server.setupUrl),
      organization: '"><script>alert(1)</script>',
      email: 'x',
    })
    assert.deepEqual(text.match(/<script[^>]*>/g), ['<script src="/static/show-password.js">'])
    assert.match(text, /value="&quot;&gt;&lt;script&gt;/)
  })

  test('a body past all bounds is refused', async () => {
    const page = await submit({ ...good, organization: 'x'.repeat(100_000) })
    assert.equal(page.status, 413)
  })

  test('a restart changes the link', async () => {
    const before = server.setupUrl
    await server.close()
    server = await start()
    assert.notEqual(tokenOf(server.setupUrl), tokenOf(before))
    assert.equal((await get(`/setup?token=${tokenOf(before)}`)).status, 403)
  })

  test('nobody else can use the data folder', async () => {
    await assert.rejects(start(), FolderInUse)
  })
})

describe('setting up', () => {
  let cookie = ''
  test('works once, however often it is sent', async () => {
    const token = tokenOf(server.setupUrl)
    const pages = await Promise.all([submit({ ...good, token }), submit({ ...good, token })])
    const statuses = pages.map(({ status }) => status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [303, 403])
    const first = pages.find(({ status }) => status === 303)
    assert.equal(first?.headers.get('location'), '/')
    cookie = (first?.headers.getSetCookie() ?? []).map((line) => line.split(';')[0]).join('; ')
    assert.equal(server.setupUrl, undefined)
    assert.equal((await get(`/setup?token=${token}`)).status, 403)
    assert.equal((await submit({ ...good, token })).status, 403)
  })

  test('ends on a page that says how to connect, for its owner alone', async () => {
    const page = await get('/connect', cookie)
    assert.equal(page.status, 200)
    assert.ok(page.text.includes(server.url))
    assert.match(
      page.text,
      /Only this computer can open this address:.*PARLEY_URL.*on-the-internet/s,
    )
    assert.equal((await get('/connect')).headers.get('location'), '/login/')
    const file = await get('/connect/zuliprc', cookie)
    assert.match(file.headers.get('content-disposition') ?? '', /attachment; filename="zuliprc"/)
    const [, email, key, site] =
      /^\[api\]\nemail=(.*)\nkey=(\w{32})\nsite=(.*)\n$/.exec(file.text) ?? []
    assert.equal(site, server.url)
    assert.equal(key?.length, 32)
    const basic = Buffer.from(`${email}:${key}`).toString('base64')
    const me = await fetch(`${server.url}/api/v1/users/me`, {
      headers: { authorization: `Basic ${basic}` },
    })
    const { role, is_owner, full_name } = (await me.json()) as Record<string, unknown>
    assert.deepEqual([role, is_owner, full_name], [100, true, 'Ann Example'])
  })

  test('leaves an organization that people can use at once', async () => {
    const login = await fetch(`${server.url}/api/v1/fetch_api_key`, {
      method: 'POST',
      body: new URLSearchParams({ username: good.email, password: good.password }),
    })
    const { api_key } = (await login.json()) as { api_key: string }
    const authorization = `Basic ${Buffer.from(`${good.email}:${api_key}`).toString('base64')}`
    const register = await fetch(`${server.url}/api/v1/register`, {
      method: 'POST',
      headers: { authorization },
    })
    const state = (await register.json()) as Record<string, Record<string, unknown>[]> & {
      realm_name: string
    }
    assert.equal(state.realm_name, 'Ours & theirs')
    assert.deepEqual(
      state.subscriptions?.map(({ name }) => name),
      ['general', 'random'],
    )
    assert.equal(state.realm_users?.length, 1)
    // Anyone who joins later is in both as well.
    const general = state.subscriptions?.map(({ stream_id }) => stream_id)
    assert.deepEqual(state.realm_default_streams, general)
    // As in the chats that people come from; the API's own default is the other way round.
    const { user_settings } = state as unknown as Record<string, Record<string, unknown>>
    assert.equal(user_settings?.enter_sends, true)
    const query = new URLSearchParams({ anchor: 'newest', num_before: '10', num_after: '0' })
    const messages = await fetch(`${server.url}/api/v1/messages?${query}`, {
      headers: { authorization },
    })
    const list = ((await messages.json()) as { messages: Record<string, unknown>[] }).messages
    assert.equal(list.length, 1)
    assert.deepEqual([list[0]?.sender_full_name, list[0]?.subject], ['Welcome Bot', 'welcome'])
  })

  test('says in the channel for everyone who has joined by a link', async () => {
    const login = await fetch(`${server.url}/api/v1/fetch_api_key`, {
      method: 'POST',
      body: new URLSearchParams({ username: good.email, password: good.password }),
    })
    const { api_key } = (await login.json()) as { api_key: string }
    const authorization = `Basic ${Buffer.from(`${good.email}:${api_key}`).toString('base64')}`
    const call = async <T>(path: string, method = 'GET') =>
      (await (
        await fetch(`${server.url}/api/v1${path}`, { method, headers: { authorization } })
      ).json()) as T
    const { invite_link } = await call<{ invite_link: string }>('/invites/multiuse', 'POST')
    const bob = { full_name: 'Bob', email: 'bob@example.com', password: 'correct horse' }
    const joined = await openBrowser(server.url).fill(new URL(invite_link).pathname, bob)
    assert.equal(joined.status, 303)
    const query = new URLSearchParams({
      anchor: 'newest',
      num_before: '1',
      num_after: '0',
      apply_markdown: 'false',
      narrow: '[["channel","general"],["topic","signups"]]',
    })
    const { messages } = await call<{ messages: { sender_full_name: string; content: string }[] }>(
      `/messages?${query}`,
    )
    const told = messages.map(({ sender_full_name, content }) => `${sender_full_name}: ${content}`)
    assert.match(told.join(), /^Notification Bot: @_\*\*Bob\|\d+\*\* joined this organization\.$/)
  })

  test('outlasts a restart, after which the folder holds nothing but the data', async () => {
    await server.close()
    assert.deepEqual(readdirSync(folder).sort(), ['files', 'lock', 'parley.db', 'reserve'])
    server = await start()
    assert.equal(server.setupUrl, undefined)
    assert.equal((await get('/connect', cookie)).status, 200)
    assert.equal((await get('/')).headers.get('location'), '/login/')
  })
})
