import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import {
  setRealmGroupSetting,
  setRealmSetting,
} from '#features/foundation/realm/settings.queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { clock, ids } = server
const { store } = server.server.context

const now = () => Math.floor(clock.now() / 1000)
const minute = 60_000
const day = 24 * 60 * minute

interface Presences {
  presences: Record<string, Record<string, unknown>>
  presence_last_update_id: number
  server_timestamp: number
}

const report = (actor: Actor, params: CallParams = {}) =>
  server.as(actor).post<Presences>('/users/me/presence', { status: 'active', ...params })

/** Long enough for everyone to count as never seen. */
function forgetEverybody(): void {
  clock.advance(30 * day)
}

test('who is active is seen as active, by API address and by id', async () => {
  forgetEverybody()
  const legacy = await report('member')
  const active = { client: 'website', status: 'active', timestamp: now() }
  assert.deepEqual(legacy.presences, {
    'user10@zulipdev.com': { website: { ...active, pushable: false }, aggregated: active },
  })
  assert.equal(legacy.server_timestamp, clock.now() / 1000)
  const slim = await report('member', { slim_presence: true })
  assert.deepEqual(slim.presences, {
    [ids.member]: { active_timestamp: now(), idle_timestamp: now() },
  })
})

test('who goes idle keeps the time of the last activity', async () => {
  forgetEverybody()
  await report('member')
  const activeAt = now()
  clock.advance(10 * minute)
  const { presences } = await report('member', { status: 'idle', slim_presence: true })
  assert.deepEqual(presences[ids.member], { active_timestamp: activeAt, idle_timestamp: now() })
  const legacy = await report('member', { status: 'idle' })
  assert.deepEqual(legacy.presences['user10@zulipdev.com']?.aggregated, {
    client: 'website',
    status: 'idle',
    timestamp: now(),
  })
})

test('new input makes an idle report an active one', async () => {
  forgetEverybody()
  const { presences } = await report('member', {
    status: 'idle',
    new_user_input: true,
    slim_presence: true,
  })
  assert.equal(presences[ids.member]?.active_timestamp, now())
})

test('a ping is answered with nothing, and counts', async () => {
  forgetEverybody()
  assert.deepEqual(await report('member', { ping_only: true }), success)
  assert.deepEqual(Object.keys((await report('admin')).presences), [
    'user10@zulipdev.com',
    'user11@zulipdev.com',
  ])
})

describe('asking for what is new', () => {
  test('brings only what changed since, in the form of today', async () => {
    forgetEverybody()
    await report('member')
    const all = await report('admin', { last_update_id: -1 })
    assert.deepEqual(Object.keys(all.presences), [String(ids.member), String(ids.admin)])
    await report('cordelia')
    const known = all.presence_last_update_id
    const news = await report('admin', { last_update_id: known })
    assert.deepEqual(Object.keys(news.presences), [String(ids.cordelia), String(ids.admin)])
    assert.ok(news.presence_last_update_id > known)
    assert.deepEqual(news.presences[ids.cordelia], {
      active_timestamp: now(),
      idle_timestamp: now(),
    })
  })
  test('goes back two weeks, or as far as the client wants', async () => {
    forgetEverybody()
    await report('member')
    clock.advance(13 * day)
    assert.equal(Object.keys((await report('admin')).presences).length, 2)
    clock.advance(2 * day)
    assert.equal(Object.keys((await report('admin')).presences).length, 1)
    const longer = await report('admin', { history_limit_days: 20 })
    assert.equal(Object.keys(longer.presences).length, 2)
    const none = await server.as('zoe').get<Presences>('/realm/presence')
    assert.deepEqual(Object.keys(none.presences), ['user11@zulipdev.com'])
  })
})

describe('the event', () => {
  test('comes when someone comes back, and not with every report', async () => {
    forgetEverybody()
    const old = await server.as('cordelia').watch('presence')
    const simplified = await server.as('cordelia').watchWith({
      event_types: ['presence'],
      client_capabilities: { simplified_presence_events: true },
    })
    await report('member')
    clock.advance(minute)
    await report('member')
    const cameAt = now() - 60
    assert.deepEqual(await old.drain(), [
      {
        type: 'presence',
        user_id: ids.member,
        email: 'user10@zulipdev.com',
        server_timestamp: cameAt,
        presence: {
          website: { client: 'website', status: 'active', timestamp: cameAt, pushable: false },
        },
      },
    ])
    assert.deepEqual(await simplified.drain(), [
      {
        type: 'presence',
        presences: { [ids.member]: { active_timestamp: cameAt, idle_timestamp: cameAt } },
      },
    ])
    clock.advance(10 * minute)
    await report('member', { status: 'idle' })
    const [idle] = await simplified.drain()
    assert.deepEqual(idle?.presences, {
      [ids.member]: { active_timestamp: now() - 600, idle_timestamp: now() },
    })
    await report('member')
    assert.equal((await simplified.drain()).length, 1)
  })
})

describe('who is not seen', () => {
  test('someone who hides their presence', async () => {
    forgetEverybody()
    const watch = await server.as('member').watchWith({
      event_types: ['presence'],
      client_capabilities: { simplified_presence_events: true },
    })
    const told = async () => (await watch.drain()).map(({ presences }) => presences)
    const at = (time: number) => ({
      [ids.zoe]: { active_timestamp: time, idle_timestamp: time },
    })
    const one = async () =>
      (await server.as('member').get<{ presence: object }>(`/users/${ids.zoe}/presence`)).presence
    await report('zoe')
    assert.deepEqual(await told(), [at(now())])
    const toggle = (presence_enabled: boolean) =>
      server.as('zoe').patch('/settings', { presence_enabled })
    await toggle(false)
    const hiddenAt = now() - 201
    assert.deepEqual(await told(), [at(hiddenAt)])
    clock.advance(10 * minute)
    const { presences } = await report('zoe', { slim_presence: true })
    assert.deepEqual(presences, at(hiddenAt))
    assert.deepEqual(await told(), [])
    assert.deepEqual(await one(), {
      website: { status: 'active', timestamp: hiddenAt },
      aggregated: { status: 'offline', timestamp: hiddenAt },
    })
    await toggle(true)
    assert.deepEqual(await told(), [at(now())])
    const seen = { status: 'active', timestamp: now() }
    assert.deepEqual(await one(), { website: seen, aggregated: seen })
  })
  test('anyone, where the organization has no presence', async () => {
    forgetEverybody()
    await report('member')
    await store.write((tx) => setRealmSetting(tx, 'presence_disabled', true))
    assert.deepEqual((await report('admin')).presences, {})
    await store.write((tx) => setRealmSetting(tx, 'presence_disabled', false))
    assert.deepEqual(Object.keys((await report('admin')).presences).length, 2)
  })
  test('strangers, by a guest who may not know of them', async () => {
    forgetEverybody()
    const limit = (group: 'role:members' | 'role:everyone') =>
      store.write((tx) => {
        setRealmGroupSetting(tx, 'can_access_all_users_group', systemGroupId(tx, group))
      })
    await limit('role:members')
    await store.write((tx) => {
      const strip = 'DELETE FROM subscriptions WHERE user_id = ?'
      tx.db.$client.prepare(strip).run(ids.othello)
    })
    const watch = await server.as('guest').watch('presence')
    await report('othello')
    await report('member')
    const seen = await report('guest', { slim_presence: true })
    assert.deepEqual(Object.keys(seen.presences), [String(ids.member), String(ids.guest)])
    const told = (await watch.drain()).map(({ user_id }) => user_id)
    assert.deepEqual(told, [ids.member, ids.guest])
    const hidden = await server.as('guest').get(`/users/${ids.othello}/presence`)
    assert.deepEqual(hidden, failure('No such user'))
    await limit('role:everyone')
  })
  test('bots', async () => {
    assert.deepEqual(await report('bot'), failure('Bots have no presence.'))
  })
})

test('register has presences in both forms', async () => {
  forgetEverybody()
  await report('member')
  const types = { fetch_event_types: ['presence'], event_types: ['presence'] }
  const legacy = (await server.as('admin').watchWith(types)).state
  assert.deepEqual(Object.keys(legacy.presences as object), ['user10@zulipdev.com'])
  const slim = (await server.as('admin').watchWith({ ...types, slim_presence: true })).state
  assert.deepEqual(slim.presences, {
    [ids.member]: { active_timestamp: now(), idle_timestamp: now() },
  })
  assert.equal(slim.server_timestamp, now())
  assert.ok((slim.presence_last_update_id as number) > 0)
  forgetEverybody()
  const none = (await server.as('admin').watchWith({ ...types, slim_presence: true })).state
  assert.deepEqual([none.presences, none.presence_last_update_id], [{}, -1])
})

describe("one user's presence", () => {
  test('is found by id and by address', async () => {
    forgetEverybody()
    await report('member')
    const seen = { status: 'active', timestamp: now() }
    for (const who of ['10', 'user10@zulipdev.com', 'HAMLET@zulip.com']) {
      const reply = await server.as('admin').get(`/users/${who}/presence`)
      assert.deepEqual(reply, { ...success, presence: { website: seen, aggregated: seen } })
    }
  })
  // biome-ignore format: a table reads best in columns
  const rows: [string, string, string][] = [
    ['an unknown user',    '4711',             'No such user'],
    ['a hidden address',    'iago@zulip.com',   'No such user'],
    ['a bot',               '16',               'Presence is not supported for bot users.'],
    ['somebody never seen', '14',               'No presence data for 14'],
  ]
  for (const [name, who, message] of rows) {
    test(`is refused for ${name}`, async () => {
      const reply = await server.as('member').get(`/users/${who}/presence`)
      assert.deepEqual(reply, failure(message))
    })
  }
})

describe('bad reports', () => {
  // biome-ignore format: a table reads best in columns
  const rows: [object, string][] = [
    [{ status: 'away' },                                  'Invalid status'],
    [{ status: 'active', ping_only: 'maybe' },            'Argument "ping_only" is not valid JSON.'],
    [{ status: 'active', last_update_id: -2 },            'last_update_id is too small'],
    [{ status: 'active', last_update_id: 1.5 },           'last_update_id is not an integer'],
    [{ status: 'active', history_limit_days: -1 },        'history_limit_days is too small'],
    [{ status: 'active', history_limit_days: 1e9 },       'history_limit_days is too large'],
  ]
  for (const [params, message] of rows) {
    test(message, async () => {
      const reply = await server.as('member').post('/users/me/presence', { ...params })
      assert.deepEqual(reply, failure(message))
    })
  }
  test('without a status', async () => {
    const missing = { var_name: 'status' }
    const reply = await server.as('member').post('/users/me/presence')
    assert.deepEqual(
      reply,
      failure("Missing 'status' argument", 'REQUEST_VARIABLE_MISSING', missing),
    )
  })
})
