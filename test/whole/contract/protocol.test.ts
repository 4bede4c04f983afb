import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sendPicture } from '#test/support/files.ts'
import { pngPicture } from '#test/support/pictures.ts'
import { type Actor, type CallParams, type Event, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids } = server
const setOwn = async (params: CallParams, actor: Actor = 'member') =>
  assert.equal((await server.as(actor).patch('/settings', params)).msg, '')

/** The one event of a type that an action brings to an actor. */
async function eventOf(
  actor: Actor,
  type: string,
  act: () => Promise<unknown>,
  params: CallParams = {},
): Promise<Event> {
  const watch = await server.as(actor).watchWith({ event_types: [type], ...params })
  await act()
  const [event, ...rest] = await watch.drain()
  assert.ok(event)
  assert.deepEqual(rest, [])
  return event
}

async function call(path: string, init: RequestInit = {}) {
  const response = await fetch(`${server.url}/api/v1${path}`, init)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const basic = (email: string, key: string) => ({
  authorization: `Basic ${btoa(`${email}:${key}`)}`,
})

describe('Conventions', () => {
  test('every response has `result` and `msg`, empty on success', async () => {
    const { result, msg } = await server.as('member').get('/users/me')
    assert.deepEqual([result, msg], ['success', ''])
  })

  test('error responses also carry `code`', async () => {
    const reply = await server.as('member').get('/messages/99999999')
    assert.equal(reply.result, 'error')
    assert.deepEqual([typeof reply.msg, typeof reply.code], ['string', 'string'])
    assert.notEqual(reply.msg, '')
  })

  test('a success lists unsupported parameters under `ignored_parameters_unsupported` (level 167)', async () => {
    const reply = await server.as('member').get('/users/me', { unheard: 1, of: 2 })
    assert.deepEqual([...(reply.ignored_parameters_unsupported as string[])].sort(), [
      'of',
      'unheard',
    ])
    const usual = await server.as('member').get('/users/me')
    assert.ok(!('ignored_parameters_unsupported' in usual))
  })

  test('POST and PATCH parameters are sent form-encoded, arrays and objects as JSON in one parameter', async () => {
    const { apiKey, email } = server.as('member')
    const { body } = await call('/messages', {
      method: 'POST',
      headers: {
        ...basic(email, apiKey),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'type=direct&to=%5B11%5D&content=Hello+there.',
    })
    assert.equal(body.result, 'success')
  })
})

describe('Authentication', () => {
  test('HTTP Basic: username is the API email, password the API key', async () => {
    const { apiKey } = server.as('member')
    for (const email of ['hamlet@zulip.com', 'user10@zulipdev.com']) {
      assert.equal((await call('/users/me', { headers: basic(email, apiKey) })).status, 200)
    }
  })

  test('HTTP Basic takes the key of a bot as well', async () => {
    assert.equal((await server.as('bot').get('/users/me')).result, 'success')
  })

  const wrong: [title: string, headers: Record<string, string>][] = [
    ['without credentials', {}],
    ['with a wrong key', basic('hamlet@zulip.com', 'a'.repeat(32))],
    ["with somebody else's key", basic('hamlet@zulip.com', server.as('admin').apiKey)],
    ['with an unknown address', basic('nobody@zulip.com', server.as('admin').apiKey)],
  ]
  for (const [title, headers] of wrong) {
    test(`nothing is answered ${title}`, async () => {
      const { status, body } = await call('/users/me', { headers })
      assert.deepEqual([status, body.result], [401, 'error'])
    })
  }
})

describe('Events', () => {
  test('every event has `id`, increasing, and `type`', async () => {
    const { queueId } = await server.as('member').watch()
    await server.say('admin', 'public')
    await setOwn({ twenty_four_hour_time: true })
    const { events } = await server
      .as('member')
      .get<{ events: { id: number; type: string }[] }>('/events', {
        queue_id: queueId,
        last_event_id: -1,
        dont_block: true,
      })
    assert.ok(events.length >= 2)
    for (const [i, event] of events.entries()) {
      assert.equal(typeof event.type, 'string')
      assert.ok(i === 0 || event.id > Number(events[i - 1]?.id))
    }
  })

  const capable = {
    client_capabilities: { notification_settings_null: true, user_settings_object: true },
  }
  const incapable = { client_capabilities: { notification_settings_null: true } }

  test('`user_settings` has `op`, `property` and `value` for clients with `user_settings_object`', async () => {
    const act = () => setOwn({ twenty_four_hour_time: false })
    assert.deepEqual(await eventOf('member', 'user_settings', act, capable), {
      type: 'user_settings',
      op: 'update',
      property: 'twenty_four_hour_time',
      value: false,
    })
  })

  test('`language_name` comes only when `property` is `default_language`', async () => {
    const event = await eventOf(
      'member',
      'user_settings',
      () => setOwn({ default_language: 'de' }),
      capable,
    )
    assert.deepEqual([event.value, event.language_name], ['de', 'German'])
  })

  test('`update_display_settings` is sent only to clients that did not declare `user_settings_object`', async () => {
    const event = await eventOf(
      'member',
      'update_display_settings',
      () => setOwn({ twenty_four_hour_time: true }),
      incapable,
    )
    assert.deepEqual(event, {
      type: 'update_display_settings',
      user: 'user10@zulipdev.com',
      setting_name: 'twenty_four_hour_time',
      setting: true,
    })
    const watch = await server.as('member').watchWith({
      event_types: ['update_display_settings', 'update_global_notifications'],
      ...capable,
    })
    await setOwn({ twenty_four_hour_time: false, enable_sounds: false })
    assert.deepEqual(await watch.drain(), [])
  })

  test('`update_display_settings` has `language_name` for `default_language`', async () => {
    const act = () => setOwn({ default_language: 'en' })
    const event = await eventOf('member', 'update_display_settings', act, incapable)
    assert.deepEqual([event.setting, event.language_name], ['en', 'English'])
  })

  test('`update_global_notifications` has `user`, `notification_name` and `setting`', async () => {
    const act = () => setOwn({ enable_sounds: true })
    assert.deepEqual(await eventOf('member', 'update_global_notifications', act, incapable), {
      type: 'update_global_notifications',
      user: 'user10@zulipdev.com',
      notification_name: 'enable_sounds',
      setting: true,
    })
  })

  test('`realm_user` is sent only to users who can access the modified user', async () => {
    await server.as('owner').patch('/realm', { can_access_all_users_group: { new: 6 } })
    const guest = await server.as('guest').watch('realm_user')
    const member = await server.as('member').watch('realm_user')
    const { user_id } = await server.as('owner').post('/users', {
      email: 'lonely@zulip.com',
      full_name: 'Lonely',
      password: 'correct horse battery',
    })
    await server.as('owner').del('/users/me/subscriptions', {
      subscriptions: ['design', 'devel', 'social', 'support', 'Zulip', 'sandbox', 'Verona'],
      principals: [user_id],
    })
    await guest.drain()
    await member.drain()
    await server.as('owner').patch(`/users/${user_id}`, { full_name: 'Alone' })
    const seen = await member.drain()
    assert.deepEqual(
      seen.map(({ op }) => op),
      ['update'],
    )
    assert.deepEqual(await guest.drain(), [])
    await server.as('owner').patch('/realm', { can_access_all_users_group: { new: 7 } })
  })

  const personOf = (event: Event) => event.person as Record<string, unknown>

  test('person form: profile time zone has `user_id`, `email` and `timezone`', async () => {
    const event = await eventOf('admin', 'realm_user', () =>
      setOwn({ timezone: 'Europe/Copenhagen' }),
    )
    assert.equal(event.op, 'update')
    assert.deepEqual(personOf(event), {
      user_id: ids.member,
      email: 'user10@zulipdev.com',
      timezone: 'Europe/Copenhagen',
    })
  })

  test('person form: delivery email has `user_id` and `delivery_email`, null when the recipient lost access', async () => {
    const changeTo = (value: number) => () => setOwn({ email_address_visibility: value })
    const gained = await server.as('cordelia').watch('realm_user')
    await changeTo(1)()
    const given = (await gained.drain()).map(personOf)
    assert.ok(
      given.some((person) => person.delivery_email === 'hamlet@zulip.com' && person.user_id === 10),
    )
    await changeTo(3)()
    const taken = (await gained.drain()).map(personOf)
    assert.ok(taken.some((person) => person.delivery_email === null && person.user_id === 10))
  })

  test('person form: API email change has `user_id` and `new_email`', async () => {
    const watch = await server.as('cordelia').watch('realm_user')
    await setOwn({ email_address_visibility: 1 })
    const people = (await watch.drain()).map(personOf)
    assert.deepEqual(
      people.filter((person) => 'new_email' in person),
      [{ user_id: 10, new_email: 'hamlet@zulip.com' }],
    )
    await setOwn({ email_address_visibility: 3 })
  })

  test('person form: avatar has `user_id`, `avatar_url`, `avatar_source`, `avatar_url_medium` and `avatar_version`', async () => {
    const picture = () => sendPicture(server, 'member', '/users/me/avatar', [pngPicture()])
    const uploaded = personOf(await eventOf('admin', 'realm_user', picture))
    assert.deepEqual(Object.keys(uploaded).sort(), [
      'avatar_source',
      'avatar_url',
      'avatar_url_medium',
      'avatar_version',
      'user_id',
    ])
    assert.deepEqual([uploaded.user_id, uploaded.avatar_source], [ids.member, 'U'])
    const gone = await eventOf('admin', 'realm_user', () =>
      server.as('member').del('/users/me/avatar'),
    )
    assert.equal(personOf(gone).avatar_source, 'G')
    assert.ok(Number(personOf(gone).avatar_version) > Number(uploaded.avatar_version))
  })

  test('receivers of a deactivation remove the user from all group records, as the server does', async () => {
    const { group_id } = await server
      .as('admin')
      .post('/user_groups/create', { name: 'moors', description: '', members: [ids.othello] })
    await server.as('admin').del(`/users/${ids.othello}`)
    const { user_groups } = await server
      .as('admin')
      .get<{ user_groups: { id: number; members: number[] }[] }>('/user_groups')
    for (const { members } of user_groups) assert.ok(!members.includes(ids.othello))
    await server.as('admin').post(`/users/${ids.othello}/reactivate`)
    const { members } = await server.as('admin').get(`/user_groups/${group_id}/members`)
    assert.deepEqual(members, [ids.othello])
  })
})

describe('Errors', () => {
  const rows: [
    code: string,
    title: string,
    ask: () => Promise<{ code?: unknown; status: number }>,
  ][] = [
    ['BAD_REQUEST', 'an unknown user ID', () => server.as('member').get('/users/9999')],
    [
      'BAD_REQUEST',
      'an unknown group',
      () => server.as('admin').patch('/user_groups/9999', { name: 'x' }),
    ],
    ['BAD_REQUEST', 'an invalid message ID', () => server.as('member').get('/messages/99999999')],
    [
      'BAD_REQUEST',
      'an invalid role combination',
      () => server.as('admin').patch('/users/user13@zulipdev.com', { role: 150 }),
    ],
    [
      'BAD_REQUEST',
      'a draft without exactly one channel ID',
      () =>
        server
          .as('member')
          .post('/drafts', { drafts: [{ type: 'stream', to: [], topic: '', content: '' }] }),
    ],
    [
      'STREAM_DOES_NOT_EXIST',
      'an unknown channel',
      () =>
        server
          .as('member')
          .post('/messages', { type: 'channel', to: 'none', topic: 'x', content: 'x' }),
    ],
    [
      'UNAUTHORIZED_PRINCIPAL',
      'deleting a topic without being an administrator',
      () => server.as('member').post('/streams/4/delete_topic', { topic_name: 'x' }),
    ],
    [
      'NOT_FOUND',
      'a fragment without a view',
      () => server.as('member').patch('/navigation_views/none', { is_pinned: true }),
    ],
  ]
  for (const [code, title, ask] of rows) {
    test(`${code}: ${title}`, async () => assert.equal((await ask()).code, code))
  }
})

describe('Versioning', () => {
  test('the path prefix is /api/v1, and the server has a feature level', async () => {
    const { body } = await call('/server_settings')
    assert.ok(Number.isSafeInteger(body.zulip_feature_level))
    assert.ok(Number(body.zulip_feature_level) > 416)
  })

  test('`is_billing_admin` was removed from user data (level 363)', async () => {
    const { user } = await server.as('member').get('/users/10')
    assert.ok(!('is_billing_admin' in (user as object)))
  })
})
