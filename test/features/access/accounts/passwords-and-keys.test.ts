import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { after, describe, test } from 'node:test'
import { createUser, deactivateUser } from '#features/access/accounts/actions.ts'
import { setUpOrganization } from '#features/access/setup/actions.ts'
import { hashCost, hashPassword, verifyPassword } from '#features/foundation/users/passwords.ts'
import {
  findUser,
  findUserByAddress,
  type Role,
  roles,
} from '#features/foundation/users/queries.ts'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { createServer } from '#program/server.ts'
import { failure, success } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { store, queues } = server.server.context

const refused = failure('Your username or password is incorrect', 'AUTHENTICATION_FAILED')
const deactivated = failure('Account is deactivated', 'USER_DEACTIVATED')

const cheap = hashCost({ fixture: true })
const usual = hashCost({ fixture: false })

const deactivate = (email: string) =>
  store.write((tx) => {
    const user = findUserByAddress(tx, email)
    if (user) deactivateUser(tx, queues, user)
  })

async function addUser(name: string, role: Role = roles.member) {
  const passwordHash = await hashPassword(`${name}-password`, cheap)
  const email = `${name}@zulip.com`
  return await store.write((tx) => createUser(tx, { email, fullName: name, role, passwordHash }))
}

describe('logging in by password', () => {
  const hamlet = {
    ...success,
    api_key: fixtureApiKey('hamlet@zulip.com'),
    email: 'hamlet@zulip.com',
    user_id: 10,
  }
  const password = 'hamlet-password'
  const missing = (name: string) =>
    failure(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', { var_name: name })
  // biome-ignore format: a table reads best in columns
  const rows: [string, object, object, number][] = [
    ['the real address',          { username: 'hamlet@zulip.com', password },             hamlet, 200],
    ['the API address',           { username: 'user10@zulipdev.com', password },          hamlet, 200],
    ['an address in capitals',    { username: ' HAMLET@zulip.com', password },            hamlet, 200],
    ['a quoted address',          { username: '"hamlet@zulip.com"', password },           hamlet, 200],
    ['a wrong password',          { username: 'hamlet@zulip.com', password: 'hamlet' },   refused, 401],
    ['an empty password',         { username: 'hamlet@zulip.com', password: '' },         refused, 401],
    ["somebody else's password",  { username: 'iago@zulip.com', password },               refused, 401],
    ['an unknown address',        { username: 'nobody@zulip.com', password },             refused, 401],
    ['a bot without a password',  { username: 'default-bot@zulip.com', password },        refused, 401],
    ['a system bot',              { username: 'welcome-bot@zulip.com', password },        refused, 401],
    ['no username',               { password },                                 missing('username'), 400],
    ['no password',               { username: 'hamlet@zulip.com' },             missing('password'), 400],
    ['a password past all bounds', { username: 'hamlet@zulip.com', password: 'x'.repeat(101) },
      failure('password is too long (limit: 100 characters)'), 400],
    ['NUL in the password',       { username: 'hamlet@zulip.com', password: 'a\0b' },
      failure('Argument "password" holds characters that are not allowed.'), 400],
  ]
  for (const [name, params, expected, status] of rows) {
    test(`with ${name}`, async () => {
      const reply = await server.anonymous.post('/fetch_api_key', { ...params })
      assert.deepEqual(reply, expected)
      assert.equal(reply.status, status)
    })
  }

  test('a deactivated account says so only to who knows its password', async () => {
    await addUser('former')
    await deactivate('former@zulip.com')
    const username = 'former@zulip.com'
    const wrong = await server.anonymous.post('/fetch_api_key', { username, password: 'guess' })
    assert.deepEqual(wrong, refused)
    const right = await server.anonymous.post('/fetch_api_key', {
      username,
      password: 'former-password',
    })
    assert.deepEqual(right, deactivated)
  })
})

describe('password hashes', () => {
  test('differ for equal passwords and hold their own cost', async () => {
    const hash = () => hashPassword('secret', usual)
    const [one, other] = await Promise.all([hash(), hash()])
    assert.notEqual(one, other)
    assert.match(one, /^scrypt\$16384\$8\$5\$[\w+/=]{24}\$[\w+/=]{44}$/)
    assert.equal(await verifyPassword('secret', one, usual), true)
    assert.equal(await verifyPassword('Secret', one, usual), false)
  })
  test('of another cost still count', async () => {
    const old = await hashPassword('secret', { N: 32, r: 2, p: 1 })
    assert.equal(await verifyPassword('secret', old, usual), true)
  })
  test('that are none match nothing', async () => {
    for (const stored of [null, '', 'secret', 'scrypt$16$1$1$$']) {
      assert.equal(await verifyPassword('secret', stored, cheap), false)
      assert.equal(await verifyPassword('', stored, cheap), false)
    }
  })
  test('do not depend on how letters were composed', async () => {
    const hash = await hashPassword('caf\u00e9', cheap)
    assert.equal(await verifyPassword('cafe\u0301', hash, cheap), true)
  })
  test('cost next to nothing where everyone knows the passwords', async () => {
    const { id } = await server.enroll('Somebody')
    assert.match(findUser(store, id)?.passwordHash ?? '', /^scrypt\$16\$1\$1\$/)
  })
})

describe('the development endpoints', () => {
  test('give the key of anyone, and a session that the web prefix takes', async () => {
    const response = await fetch(
      `${server.url}/api/v1/dev_fetch_api_key?username=iago%40zulip.com`,
      { method: 'POST' },
    )
    const api_key = fixtureApiKey('iago@zulip.com')
    assert.deepEqual(await response.json(), {
      ...success,
      api_key,
      email: 'iago@zulip.com',
      user_id: 11,
    })
    const cookies = response.headers.getSetCookie()
    assert.match(cookies[0] ?? '', /^sessionid=[\da-f]{64};.* HttpOnly; SameSite=Lax$/)
    assert.match(cookies[1] ?? '', /^csrftoken=[\da-f]{64};.* Path=\/; SameSite=Lax$/)
    const cookie = cookies.map((line) => line.split(';')[0]).join('; ')
    const csrf = /csrftoken=(\w+)/.exec(cookie)?.[1] ?? ''
    const me = await fetch(`${server.url}/json/users/me`, { headers: { cookie } })
    assert.equal(((await me.json()) as { user_id: number }).user_id, 11)
    const report = (headers: Record<string, string>) =>
      fetch(`${server.url}/json/users/me/presence`, {
        method: 'POST',
        headers: { cookie, ...headers },
        body: new URLSearchParams({ status: 'active', ping_only: 'true' }),
      })
    assert.equal((await report({})).status, 403)
    assert.equal((await report({ 'x-csrftoken': 'f'.repeat(64) })).status, 403)
    assert.equal((await report({ 'x-csrftoken': csrf })).status, 200)
    // The cookie counts for the pages' own prefix alone: there is no token to check elsewhere.
    const api = await fetch(`${server.url}/api/v1/users/me`, { headers: { cookie } })
    assert.equal(api.status, 401)
  })
  test('know nobody else', async () => {
    const invalid = failure('Invalid username.')
    for (const username of ['nobody@zulip.com', '', 'welcome-bot@zulip.com']) {
      const reply = await server.anonymous.post('/dev_fetch_api_key', { username })
      assert.deepEqual(reply, invalid)
    }
  })
  test('refuse a deactivated account', async () => {
    await addUser('gone')
    await deactivate('gone@zulip.com')
    const reply = await server.anonymous.post('/dev_fetch_api_key', { username: 'gone@zulip.com' })
    assert.deepEqual(reply, deactivated)
    assert.equal(reply.status, 401)
  })
  test('list the active people, administrators first', async () => {
    const one = (email: string) => ({ email, realm_uri: server.url, realm_url: server.url })
    const reply = await server.anonymous.get<{ direct_admins: object[]; direct_users: object[] }>(
      '/dev_list_users',
    )
    assert.deepEqual(reply.direct_admins, ['desdemona@zulip.com', 'iago@zulip.com'].map(one))
    assert.deepEqual(reply.direct_users.slice(0, 2), ['AARON@zulip.com', 'ZOE@zulip.com'].map(one))
  })
})

describe('a server for people', async () => {
  const production = await createServer({
    data: ':memory:',
    port: 0,
    config: { logLevel: 'silent', rateLimits: true },
  })
  after(() => production.close())
  const ann = await setUpOrganization(production.context, {
    organization: 'Ours',
    fullName: 'Ann',
    email: 'ann@example.com',
    password: 'correct horse',
  })
  const call = async (method: string, path: string, params: Record<string, string> = {}) => {
    const body = method === 'POST' ? { body: new URLSearchParams(params) } : {}
    return await fetch(production.url + path, { method, ...body })
  }

  test('has no development endpoints', async () => {
    const unavailable = failure('Endpoint not available in production.')
    const key = await call('POST', '/api/v1/dev_fetch_api_key', { username: 'ann@example.com' })
    assert.deepEqual(await key.json(), unavailable)
    assert.deepEqual(key.headers.getSetCookie(), [])
    assert.deepEqual(await (await call('GET', '/api/v1/dev_list_users')).json(), unavailable)
    assert.equal((await call('POST', '/dev/reset')).status, 404)
  })
  test('hashes passwords at the usual cost', () => {
    assert.match(ann.passwordHash ?? '', /^scrypt\$16384\$8\$5\$/)
  })
  test('works as hard on an unknown address as on a known one', async () => {
    const hashes = async (username: string) => {
      let begun = 0
      const hook = createHook({
        init: (_id, type) => {
          if (type === 'SCRYPTREQUEST') begun += 1
        },
      }).enable()
      const reply = await call('POST', '/api/v1/fetch_api_key', { username, password: 'guess' })
      hook.disable()
      assert.equal(reply.status, 401)
      return begun
    }
    assert.equal(await hashes('ann@example.com'), 1)
    assert.equal(await hashes('bob@example.com'), 1)
  })
  test('lets nobody try passwords for long', async () => {
    const guess = () =>
      call('POST', '/api/v1/fetch_api_key', { username: 'ann@example.com', password: 'guess' })
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await guess()).status)
    assert.equal(statuses[0], 401)
    assert.equal(statuses.at(-1), 429)
    const limited = (await (await guess()).json()) as Record<string, unknown>
    assert.equal(limited.code, 'RATE_LIMIT_HIT')
    assert.equal(typeof limited['retry-after'], 'number')
  })
})

describe('deactivating someone', () => {
  test('ends sessions, keys, queues and parked polls at once, and tells everyone', async () => {
    const user = await addUser('leaver')
    const bot = await store.write((tx) =>
      createUser(tx, {
        email: 'leaver-bot@zulipdev.com',
        fullName: 'Bot',
        role: roles.member,
        botType: 1,
        botOwnerId: user.id,
      }),
    )
    const basic = Buffer.from(`leaver@zulip.com:${user.apiKey}`).toString('base64')
    const headers = { authorization: `Basic ${basic}` }
    const login = await server.anonymous.post('/dev_fetch_api_key', { username: user.email })
    assert.equal(login.result, 'success')
    const registered = await fetch(`${server.url}/api/v1/register`, { method: 'POST', headers })
    const { queue_id } = (await registered.json()) as { queue_id: string }
    const path = `/api/v1/events?queue_id=${encodeURIComponent(queue_id)}&last_event_id=-1`
    // Without a socket, so that it is parked before any later request comes in.
    const parked = server.server.fetch(new Request(server.url + path, { headers }))
    await server.as('admin').get('/users/me')
    const watch = await server.as('admin').watch('realm_user', 'user_group')
    await deactivate(user.email)
    assert.equal((await parked).status, 401)
    assert.deepEqual(await (await parked).json(), deactivated)
    const after = await fetch(`${server.url}/api/v1/users/me`, { headers })
    assert.equal(after.status, 401)
    assert.deepEqual(await after.json(), deactivated)
    assert.equal(findUser(store, bot.id)?.isActive, false)
    const update = (id: number) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: id, is_active: false },
    })
    const left = (group_id: number, id: number) => ({
      type: 'user_group',
      op: 'remove_members',
      group_id,
      user_ids: [id],
    })
    assert.deepEqual(await watch.drain(), [
      update(user.id),
      left(5, user.id),
      left(6, user.id),
      update(bot.id),
      left(5, bot.id),
      left(6, bot.id),
    ])
    const { state } = await server.as('admin').watchWith({ fetch_event_types: ['realm_user'] })
    const ids = (list: unknown) => (list as { user_id: number }[]).map(({ user_id }) => user_id)
    assert.equal(ids(state.realm_users).includes(user.id), false)
    assert.equal(ids(state.realm_non_active_users).includes(user.id), true)
  })

  test('takes them out of the channels of the others, but keeps their place', async () => {
    const watch = await server.as('moderator').watch('subscription')
    await deactivate('prospero@zulip.com')
    const events = await watch.drain()
    const channels = events.map(({ op, stream_ids, user_ids }) => ({ op, stream_ids, user_ids }))
    assert.ok(channels.length >= 9)
    assert.deepEqual(channels[0], { op: 'peer_remove', stream_ids: [3], user_ids: [14] })
    const subscribers = await server.as('owner').get('/streams/3/members')
    assert.equal((subscribers.subscribers as number[]).includes(14), false)
  })

  test('is refused for the only owner, who stays as they are', async () => {
    await assert.rejects(deactivate('desdemona@zulip.com'), {
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      message: 'Cannot deactivate the only organization owner',
      extra: { is_last_owner: true, entity: 'organization owner' },
    })
    assert.equal((await server.as('owner').get('/users/me')).is_active, true)
    await addUser('second', roles.owner)
    await deactivate('second@zulip.com')
    assert.equal(findUserByAddress(store, 'second@zulip.com')?.isActive, false)
  })
})
