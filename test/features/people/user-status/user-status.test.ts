import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createUser } from '#features/access/accounts/actions.ts'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { setRealmGroupSetting } from '#features/foundation/realm/settings.queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { digestOf } from '#test/support/stored.ts'

const server = await startServer()
after(server.close)
const digest = digestOf(server)
const { store } = server.server.context
const { ids } = server

const set = (actor: Actor, params: object) =>
  server.as(actor).post('/users/me/status', params as Record<string, unknown>)
/** Read raw: among a reply's members the harness keeps `status` for the one of HTTP. */
async function get(actor: Actor, userId: number): Promise<unknown> {
  const { email, apiKey } = server.as(actor)
  const basic = Buffer.from(`${email}:${apiKey}`).toString('base64')
  const response = await fetch(`${server.url}/api/v1/users/${userId}/status`, {
    headers: { authorization: `Basic ${basic}` },
  })
  const { status, ...envelope } = (await response.json()) as Record<string, unknown>
  assert.deepEqual(envelope, success)
  return status
}
/** The same in a single answer and in the registered state. */
async function statusOf(userId: number): Promise<unknown> {
  const { state } = await server.as('member').watch('user_status')
  const registered = (state.user_status as Record<number, object>)[userId] ?? {}
  assert.deepEqual(await get('member', userId), registered)
  return registered
}
const told = (userId: number, changes: object) => ({
  type: 'user_status',
  user_id: userId,
  ...changes,
})
const car = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' }
const nothing = { emoji_name: '', emoji_code: '', reaction_type: '' }

test('a request changes what it gives, and the event has that alone', async () => {
  const queue = await server.as('guest').watch('user_status')
  // biome-ignore format: a table reads best in columns
  const steps: [object, object, object][] = [
    // sent,                       told,                             the status then
    [{ status_text: ' away ' },    { status_text: 'away' },          { status_text: 'away' }],
    [car,                          car,                              { status_text: 'away', ...car }],
    [{ emoji_name: 'octopus' },    { ...car, emoji_name: 'octopus', emoji_code: '1f419' }, { status_text: 'away', ...car, emoji_name: 'octopus', emoji_code: '1f419' }],
    [{ status_text: '' },          { status_text: '' },              { ...car, emoji_name: 'octopus', emoji_code: '1f419' }],
    [nothing,                      nothing,                          {}],
    [{ status_text: 'in', ...car }, { status_text: 'in', ...car },   { status_text: 'in', ...car }],
    [{ emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }, { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'service_extra_emoji' }, { status_text: 'in', emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'service_extra_emoji' }],
    [{ status_text: '', emoji_name: '' }, { status_text: '', ...nothing }, {}],
  ]
  for (const [sent, event, expected] of steps) {
    assert.deepEqual(await set('zoe', sent), success)
    assert.deepEqual(await queue.drain(), [told(ids.zoe, event)])
    assert.deepEqual(await statusOf(ids.zoe), expected)
  }
})

test('away is the older name of hiding one’s presence', async () => {
  const queue = await server.as('zoe').watch('user_status', 'user_settings')
  assert.deepEqual(await set('zoe', { away: true }), success)
  const setting = { type: 'user_settings', op: 'update', property: 'presence_enabled' }
  assert.deepEqual(await queue.drain(), [
    { ...setting, value: false },
    told(ids.zoe, { away: true }),
  ])
  assert.deepEqual(await statusOf(ids.zoe), { away: true })
  await server.as('zoe').patch('/settings', { presence_enabled: true })
  assert.deepEqual(await queue.drain(), [
    { ...setting, value: true },
    told(ids.zoe, { away: false }),
  ])
  assert.deepEqual(await statusOf(ids.zoe), {})
})

describe('the status of someone else', () => {
  const refused = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, object][] = [
    ['owner', success], ['admin', success], ['moderator', refused], ['member', refused],
    ['guest', refused], ['bot', refused],
  ]
  for (const [actor, expected] of matrix) {
    test(`${actor} ${expected === success ? 'may' : 'may not'} change it`, async () => {
      const before = digest()
      const params = { status_text: `set by ${actor}` }
      const reply = await server.as(actor).post(`/users/${ids.othello}/status`, params)
      assert.deepEqual(reply, expected)
      if (expected === success) assert.deepEqual(await get('guest', ids.othello), params)
      else assert.equal(digest(), before)
    })
  }

  test('is nothing for those who may not know of them', async () => {
    const stranger = await store.write((tx) => {
      setRealmGroupSetting(tx, 'can_access_all_users_group', systemGroupId(tx, 'role:members'))
      return createUser(tx, { email: 'a@b.example', fullName: 'Antonio', role: 400 }).id
    })
    const change = (status_text: string) =>
      server.as('admin').post(`/users/${stranger}/status`, { status_text })
    assert.deepEqual(await change('here'), success)
    const queues = await Promise.all(
      (['guest', 'member'] as const).map((who) => server.as(who).watch('user_status')),
    )
    const listed = queues.map(({ state }) => stranger in (state.user_status as object))
    assert.deepEqual(listed, [false, true])
    const hidden = await server.as('guest').get(`/users/${stranger}/status`)
    assert.deepEqual(hidden, failure('No such user'))
    assert.deepEqual(hidden, await server.as('guest').get('/users/999/status'))
    assert.deepEqual(await change('there'), success)
    const [guest, member] = await Promise.all(queues.map((queue) => queue.drain()))
    assert.deepEqual(guest, [])
    assert.deepEqual(member, [told(stranger, { status_text: 'there' })])
  })
})

describe('bad input changes nothing', () => {
  const half = 'Client must pass emoji_name if they pass either emoji_code or reaction_type.'
  // biome-ignore format: a table reads best in columns
  const table: [string, object, string][] = [
    ['nothing',              {},                                   'Client did not pass any new values.'],
    ['a text too long',      { status_text: 'x'.repeat(61) },      'status_text is too long (limit: 60 characters)'],
    ['60 KB of text',        { status_text: 'x'.repeat(60_000) }, 'status_text is too long (limit: 1000 characters)'],
    ['NUL',                  { status_text: 'a\0' },               'Argument "status_text" holds characters that are not allowed.'],
    ['no such emoji',        { emoji_name: 'hippogriff' },         "Emoji 'hippogriff' does not exist"],
    ['a prototype name',     { emoji_name: '__proto__' },          "Emoji '__proto__' does not exist"],
    ['half an emoji',        { emoji_code: '1f697' },              half],
    ['a type alone',         { reaction_type: 'unicode_emoji' },   half],
    ['an unknown type',      { ...car, reaction_type: 'gif' },     'Invalid reaction_type'],
    ['a wrong code',         { ...car, emoji_code: 'ffff' },       'Invalid emoji code.'],
    ['a name of another',    { ...car, emoji_name: 'octopus' },    'Invalid emoji name.'],
    ['a code for no emoji',  { ...car, emoji_name: '' },           'Invalid emoji name.'],
    ['a word for a boolean', { away: 'yes' },                      'Argument "away" is not valid JSON.'],
  ]
  for (const [name, params, message] of table) {
    test(name, async () => {
      const before = digest()
      assert.deepEqual(await set('member', params), failure(message))
      assert.equal(digest(), before)
    })
  }
})

test('a new API key ends the old one', async () => {
  const reply = await server
    .as('prospero')
    .post<{ api_key: string }>('/users/me/api_key/regenerate')
  assert.match(reply.api_key, /^[0-9a-f]{32}$/)
  assert.notEqual(reply.api_key, server.as('prospero').apiKey)
  const old = await server.as('prospero').get('/users/me')
  assert.deepEqual([old.status, old.code], [401, 'INVALID_API_KEY'])
  const basic = Buffer.from(`prospero@zulip.com:${reply.api_key}`).toString('base64')
  const now = await fetch(`${server.url}/api/v1/users/me`, {
    headers: { authorization: `Basic ${basic}` },
  })
  assert.equal(now.status, 200)
  const bot = await server.as('bot').post('/users/me/api_key/regenerate')
  assert.deepEqual(bot, failure('This endpoint does not accept bot requests.'))
})

describe('a status that ends', () => {
  const now = () => Math.floor(server.clock.now() / 1000)
  const extended = {
    event_types: ['user_status'],
    client_capabilities: { extended_members: true },
  }

  test('clears itself, and tells everyone; clients that asked for it know before', async () => {
    const end = now() + 60
    const knowing = await server.as('guest').watchWith(extended)
    const plain = await server.as('guest').watch('user_status')
    assert.deepEqual(await set('zoe', { status_text: 'Lunch', scheduled_end_time: end }), success)
    const told = (changes: object) => ({ type: 'user_status', user_id: ids.zoe, ...changes })
    assert.deepEqual(await knowing.drain(), [
      told({ status_text: 'Lunch', scheduled_end_time: end }),
    ])
    assert.deepEqual(await plain.drain(), [told({ status_text: 'Lunch' })])
    const { state } = await server.as('guest').watchWith(extended)
    assert.deepEqual((state.user_status as Record<number, object>)[ids.zoe], {
      status_text: 'Lunch',
      scheduled_end_time: end,
    })
    assert.deepEqual(await statusOf(ids.zoe), { status_text: 'Lunch' })
    server.clock.advance(59_000)
    await server.settled()
    assert.deepEqual(await statusOf(ids.zoe), { status_text: 'Lunch' })
    server.clock.advance(1000)
    await server.settled()
    assert.deepEqual(await statusOf(ids.zoe), {})
    const cleared = { status_text: '', ...nothing }
    assert.deepEqual(await knowing.drain(), [told({ ...cleared, scheduled_end_time: null })])
    assert.deepEqual(await plain.drain(), [told(cleared)])
  })

  test('stays if a client that knows no ends replaces it meanwhile', async () => {
    await set('zoe', { status_text: 'Lunch', scheduled_end_time: now() + 60 })
    await set('zoe', { status_text: 'Holiday' })
    server.clock.advance(60_000)
    await server.settled()
    assert.deepEqual(await statusOf(ids.zoe), { status_text: 'Holiday' })
  })

  test('can get another end, and only clients that asked for it get the event', async () => {
    const plain = await server.as('guest').watch('user_status')
    const knowing = await server.as('guest').watchWith(extended)
    const end = now() + 60
    assert.deepEqual(await set('zoe', { scheduled_end_time: end }), success)
    assert.deepEqual(await plain.drain(), [])
    assert.deepEqual(await knowing.drain(), [
      { type: 'user_status', user_id: ids.zoe, scheduled_end_time: end },
    ])
    assert.deepEqual(await set('zoe', { scheduled_end_time: null }), success)
    server.clock.advance(60_000)
    await server.settled()
    assert.deepEqual(await statusOf(ids.zoe), { status_text: 'Holiday' })
  })

  test('ends in the future, and is one', async () => {
    assert.deepEqual(
      await set('zoe', { status_text: 'Late', scheduled_end_time: now() }),
      failure('The status must end in the future.'),
    )
    assert.deepEqual(
      await set('zoe', { status_text: '', ...nothing, scheduled_end_time: now() + 60 }),
      failure('A status without text and emoji has no end.'),
    )
    assert.deepEqual(await statusOf(ids.zoe), { status_text: 'Holiday' })
  })
})
