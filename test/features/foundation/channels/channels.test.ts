import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { updateChannel } from '#features/foundation/channels/queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server
const { store } = server.server.context

const invalidId = failure('Invalid channel ID')

interface ChannelReply {
  stream: Record<string, unknown> & { stream_id: number; name: string }
}
interface ListReply {
  streams: (ChannelReply['stream'] & { is_default?: boolean })[]
}
interface TopicsReply {
  topics: { name: string; max_id: number }[]
}

/** Creates a channel of the member's, with the member alone in it, and returns its id. */
async function create(name: string, params: object = {}): Promise<number> {
  const member = server.as('member')
  const asked = { subscriptions: [{ name }], ...params }
  const reply = await member.post('/users/me/subscriptions', asked)
  assert.equal(reply.result, 'success', reply.msg)
  return (await member.get<{ stream_id: number }>('/get_stream_id', { stream: name })).stream_id
}

const archive = (id: number) =>
  store.write((tx) => void updateChannel(tx, id, { isArchived: true }))

const only = (...members: Actor[]) => ({
  direct_members: members.map((actor) => ids[actor]),
  direct_subgroups: [],
})

test('a channel has all its fields', async () => {
  const folder = { name: 'look', description: 'How it **looks**' }
  await server.as('member').post('/users/me/subscriptions', {
    subscriptions: [folder],
    can_send_message_group: 4,
    folder_id: 2,
  })
  const id = await create('look')
  const whole = { extended_members: true }
  assert.deepEqual(await server.as('member').get(`/streams/${id}`, whole), {
    ...success,
    stream: {
      stream_id: id,
      name: 'look',
      is_archived: false,
      description: 'How it **looks**',
      rendered_description: '<p>How it <strong>looks</strong></p>',
      date_created: Math.floor(server.clock.now() / 1000),
      creator_id: ids.member,
      invite_only: false,
      is_web_public: false,
      stream_post_policy: 4,
      is_announcement_only: false,
      message_retention_days: null,
      default_push_notifications: false,
      history_public_to_subscribers: true,
      topics_policy: 'inherit',
      first_message_id: null,
      folder_id: 2,
      is_recently_active: true,
      subscriber_count: 1,
      stream_weekly_traffic: null,
      can_add_subscribers_group: 1,
      can_administer_channel_group: only('member'),
      can_create_topic_group: 7,
      can_delete_any_message_group: 1,
      can_delete_own_message_group: 1,
      can_move_messages_out_of_channel_group: 1,
      can_move_messages_within_channel_group: 1,
      can_remove_subscribers_group: 3,
      can_resolve_topics_group: 1,
      can_send_message_group: 4,
      can_subscribe_group: 1,
    },
  })
})

test('who may post shows in the old policy too, as far as it can say it', async () => {
  // System groups in their order, then a group of people.
  const policies = [2, 2, 2, 4, 3, 1, 1]
  for (const [i, policy] of policies.entries()) {
    const id = await create(`policy ${i}`, { can_send_message_group: i + 1 })
    const { stream } = await server.as('member').get<ChannelReply>(`/streams/${id}`)
    assert.deepEqual(
      [stream.can_send_message_group, stream.stream_post_policy, stream.is_announcement_only],
      [i + 1, policy, policy === 2],
    )
  }
  const id = await create('policy of some', { can_send_message_group: only('guest', 'admin') })
  const { stream } = await server.as('member').get<ChannelReply>(`/streams/${id}`)
  assert.deepEqual(stream.can_send_message_group, only('admin', 'guest'))
  assert.equal(stream.stream_post_policy, 1)
})

describe('who may know of a channel', () => {
  const kinds = {
    public: {},
    web: {},
    private: { invite_only: true },
    addable: { invite_only: true, can_add_subscribers_group: only('moderator', 'guest') },
    joinable: { invite_only: true, can_subscribe_group: only('moderator', 'guest') },
    managed: { invite_only: true, can_administer_channel_group: only('moderator', 'guest') },
    archived: {},
    buried: { invite_only: true },
  }
  type Kind = keyof typeof kinds
  const made = {} as Record<Kind, number>
  before(async () => {
    for (const [kind, params] of Object.entries(kinds) as [Kind, object][]) {
      made[kind] = kind === 'web' ? channels.webPublic : await create(`kind ${kind}`, params)
    }
    await archive(made.archived)
    await archive(made.buried)
  })

  // What each may do: c reads the content, m knows of it, - knows nothing.
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, ...string[]][] = [
    //            public web  private addable joinable managed archived buried
    ['member',    'c',   'c', 'c',    'c',    'c',     'c',    'c',     'c'],
    ['owner',     'c',   'c', 'm',    'm',    'm',     'm',    'c',     'm'],
    ['admin',     'c',   'c', 'm',    'm',    'm',     'm',    'c',     'm'],
    ['moderator', 'c',   'c', '-',    'c',    'c',     'm',    'c',     '-'],
    ['outsider',  'c',   'c', '-',    '-',    '-',     '-',    'c',     '-'],
    ['bot',       'c',   'c', '-',    '-',    '-',     '-',    'c',     '-'],
    ['guest',     '-',   'c', '-',    '-',    '-',     '-',    '-',     '-'],
  ]
  for (const [actor, ...cells] of matrix) {
    for (const [i, kind] of (Object.keys(kinds) as Kind[]).entries()) {
      const cell = cells[i]
      const what = { c: 'may read', m: 'knows of', '-': 'knows nothing of' }[cell ?? '']
      test(`${actor} ${what} a channel of the kind ${kind}`, async () => {
        const as = server.as(actor)
        const id = made[kind]
        const name = kind === 'web' ? 'Rome' : `kind ${kind}`
        const known = await as.get<ChannelReply>(`/streams/${id}`)
        const members = await as.get(`/streams/${id}/members`)
        const byName = await as.get('/get_stream_id', { stream: name })
        if (cell === '-') {
          assert.deepEqual([known, members], [invalidId, invalidId])
          assert.deepEqual(byName, failure(`Invalid channel name '${name}'`))
        } else {
          assert.equal(known.stream.name, name)
          const subscribers = [kind === 'web' ? ids.zoe : ids.member]
          assert.deepEqual(members, { ...success, subscribers })
          assert.deepEqual(byName, { ...success, stream_id: id })
        }
        const topics = await as.get(`/users/me/${id}/topics`)
        assert.deepEqual(topics, cell === 'c' ? { ...success, topics: [] } : invalidId)
        const { streams } = await as.get<ListReply>('/streams', {
          include_all: true,
          exclude_archived: false,
        })
        const listed = streams.some(({ stream_id }) => stream_id === id)
        assert.equal(listed, cell !== '-')
      })
    }
  }

  test('nobody without credentials gets anything', async () => {
    for (const path of ['/streams', '/streams/3', '/streams/3/members', '/users/me/3/topics']) {
      assert.equal((await server.anonymous.get(path)).status, 401)
    }
  })
})

describe('GET /streams lists', () => {
  const all = { include_all: true }
  const none = { include_public: false, include_subscribed: false }
  // biome-ignore format: a matrix reads best in columns
  const cases: [string, Actor, object, string[], string[]][] = [
    // what                      who         asked                                         in           out
    ['public ones',              'outsider', {},                                           ['Denmark'], ['core team']],
    ['a guest\'s own',           'guest',    {},                                           ['Verona'],  ['Denmark', 'Rome']],
    ['nothing',                  'member',   none,                                         [],          ['Denmark', 'Verona']],
    ['subscribed ones',          'outsider', { include_public: false },                    ['Verona'],  ['Denmark']],
    ['private subscribed ones',  'member',   { include_public: false },                    ['core team'], ['Scotland']],
    ['web-public ones',          'guest',    { ...none, include_web_public: true },        ['Rome'],    ['Verona']],
    ['default ones',             'member',   { ...none, include_default: true },           ['Verona'],  ['Denmark']],
    ['what a guest may read',    'guest',    { ...none, include_can_access_content: true }, ['Rome', 'Verona'], ['Denmark']],
    ['all for an administrator', 'admin',    { ...none, include_all_active: true },        ['Denmark', 'core team'], []],
    ['all that a guest knows',   'guest',    { ...none, ...all },                          ['Rome', 'Verona'], ['Denmark', 'core team']],
    ['the owner\'s for a bot',   'bot',      { ...none, include_owner_subscribed: true },  ['core team'], ['Rome']],
    ['nothing for bots\' owners', 'member',  { ...none, include_owner_subscribed: true },  [],          ['core team']],
  ]
  for (const [what, actor, asked, inside, outside] of cases) {
    test(what, async () => {
      const { streams } = await server.as(actor).get<ListReply>('/streams', { ...asked })
      const names = streams.map(({ name }) => name)
      assert.deepEqual(names, [...names].sort())
      assert.deepEqual(
        inside.filter((name) => !names.includes(name)),
        [],
      )
      assert.deepEqual(
        outside.filter((name) => names.includes(name)),
        [],
      )
    })
  }

  test('whether a channel is one of the defaults, only when asked', async () => {
    const plain = await server.as('member').get<ListReply>('/streams')
    assert.equal(
      plain.streams.some((stream) => 'is_default' in stream),
      false,
    )
    const { streams } = await server.as('member').get<ListReply>('/streams', {
      include_default: true,
    })
    const defaults = streams.filter(({ is_default }) => is_default).map(({ name }) => name)
    const wanted = ['Verona', 'Zulip', 'design', 'devel', 'sandbox', 'social', 'support']
    assert.deepEqual(defaults, wanted)
  })

  test('nothing of "all active" to members', async () => {
    const reply = await server.as('moderator').get('/streams', { include_all_active: true })
    assert.deepEqual(reply, failure('User not authorized for this query'))
  })

  test('archived channels only when they are not excluded', async () => {
    const id = await create('shelved')
    await archive(id)
    const has = async (params: object) => {
      const reply = await server.as('member').get<ListReply>('/streams', { ...params })
      return reply.streams.some(({ stream_id }) => stream_id === id)
    }
    assert.deepEqual([await has({}), await has({ exclude_archived: false })], [false, true])
  })
})

describe('POST /register', () => {
  type Lists = Record<
    'streams' | 'subscriptions' | 'unsubscribed' | 'never_subscribed',
    ChannelReply['stream'][]
  >
  const lists = async (actor: Actor, params: object = {}) => {
    const fetch_event_types = ['stream', 'subscription', 'channel_folders', 'default_streams']
    const { state } = await server.as(actor).watchWith({ fetch_event_types, ...params })
    return state as unknown as Lists & {
      realm_default_streams: number[]
      channel_folders: object[]
    }
  }
  const names = (list: ChannelReply['stream'][]) => list.map(({ name }) => name)
  const everybodys = ['announce', 'design', 'devel', 'errors', 'social', 'support', 'test'].concat([
    'ビデオゲーム',
    '조리법 😎',
  ])

  test('lists a guest no more than their own and web-public channels', async () => {
    const state = await lists('guest')
    assert.deepEqual(names(state.subscriptions), ['Verona', ...everybodys])
    assert.deepEqual(names(state.never_subscribed), ['Rome'])
    assert.deepEqual(state.unsubscribed, [])
    assert.deepEqual(names(state.streams).sort(), ['Rome', 'Verona', ...everybodys])
    assert.deepEqual(state.realm_default_streams, [])
  })

  test('lists every channel once by what the user has to do with it', async () => {
    await server.as('othello').del('/users/me/subscriptions', { subscriptions: ['Scotland'] })
    const state = await lists('othello')
    assert.deepEqual(names(state.unsubscribed), ['Scotland'])
    assert.equal(names(state.never_subscribed).includes('core team'), false)
    const all = [...state.subscriptions, ...state.unsubscribed, ...state.never_subscribed]
    assert.deepEqual(names(all).sort(), names(state.streams).sort())
    const { stream } = await server.as('othello').get<ChannelReply>('/streams/3')
    assert.deepEqual(
      state.streams.find(({ stream_id }) => stream_id === 3),
      stream,
    )
    const { subscriptions } = await server
      .as('othello')
      .get<{ subscriptions: unknown[] }>('/users/me/subscriptions')
    assert.deepEqual(state.subscriptions, subscriptions)
  })

  test('lists archived channels to clients that know archives', async () => {
    const id = await create('archived later')
    await archive(id)
    const has = (list: ChannelReply['stream'][]) => names(list).includes('archived later')
    const old = await lists('member')
    assert.deepEqual([has(old.streams), has(old.subscriptions)], [false, false])
    const modern = await lists('member', { client_capabilities: { archived_channels: true } })
    assert.deepEqual([has(modern.streams), has(modern.subscriptions)], [true, true])
    const outsider = await lists('outsider', { client_capabilities: { archived_channels: true } })
    assert.deepEqual([has(outsider.streams), has(outsider.never_subscribed)], [true, true])
  })

  test('lists the folders of channels', async () => {
    const { channel_folders } = await lists('guest')
    assert.deepEqual(
      channel_folders.map((folder) => Object.keys(folder)),
      Array(2).fill([
        'id',
        'name',
        'description',
        'rendered_description',
        'order',
        'date_created',
        'creator_id',
        'is_archived',
      ]),
    )
  })
})

describe('GET /users/me/{stream_id}/topics', () => {
  const topicsOf = async (actor: Actor, id: number, params: object = {}) => {
    const reply = await server.as(actor).get<TopicsReply>(`/users/me/${id}/topics`, { ...params })
    assert.equal(reply.result, 'success', reply.msg)
    return reply.topics
  }
  const say = async (actor: Actor, id: number, topic: string) => {
    const params = { type: 'channel', to: id, topic, content: 'Hello.' }
    const reply = await server.as(actor).post<{ id: number }>('/messages', params)
    assert.equal(reply.result, 'success', reply.msg)
    return reply.id
  }

  test('names each topic once, as it was last written, the latest first', async () => {
    const id = await create('talk')
    await say('member', id, 'lunch')
    const dinner = await say('member', id, 'dinner')
    const lunch = await say('outsider', id, 'LUNCH')
    assert.deepEqual(await topicsOf('outsider', id), [
      { name: 'LUNCH', max_id: lunch },
      { name: 'dinner', max_id: dinner },
    ])
  })

  test('names the empty topic as the client wants it', async () => {
    const id = await create('quiet talk')
    const max_id = await say('member', id, '')
    assert.deepEqual(await topicsOf('member', id), [{ name: 'general chat', max_id }])
    const asked = { allow_empty_topic_name: true }
    assert.deepEqual(await topicsOf('member', id, asked), [{ name: '', max_id }])
  })

  test('keeps to the time of the own subscription where history is protected', async () => {
    const id = await create('vault', { invite_only: true })
    await say('member', id, 'early')
    await say('member', id, 'mixed')
    const own = { subscriptions: [{ name: 'vault' }], principals: [ids.outsider] }
    await server.as('member').post('/users/me/subscriptions', own)
    const mixed = await say('member', id, 'Mixed')
    const late = await say('member', id, 'late')
    await server.as('outsider').del('/users/me/subscriptions', { subscriptions: ['vault'] })
    assert.deepEqual(await server.as('outsider').get(`/users/me/${id}/topics`), invalidId)
    await say('member', id, 'meanwhile')
    await say('member', id, 'late')
    await server.as('member').post('/users/me/subscriptions', own)
    assert.deepEqual(await topicsOf('outsider', id), [
      { name: 'late', max_id: late },
      { name: 'Mixed', max_id: mixed },
    ])
    assert.equal((await topicsOf('member', id)).length, 4)
  })
})

describe('what is counted', () => {
  test('traffic: the weekly average, once there is a week to count', async () => {
    const id = await create('busy')
    const traffic = async () =>
      (await server.as('member').get<ChannelReply>(`/streams/${id}`)).stream.stream_weekly_traffic
    const day = 24 * 3600 * 1000
    const params = { type: 'channel', to: id, topic: 'x', content: 'Hello.' }
    for (let i = 0; i < 30; i++) await server.as('member').post('/messages', params)
    server.clock.advance(6 * day)
    assert.equal(await traffic(), null)
    server.clock.advance(day)
    assert.equal(await traffic(), 30)
    server.clock.advance(14 * day)
    assert.equal(await traffic(), 10)
    server.clock.advance(30 * day)
    assert.equal(await traffic(), 0)
  })

  test('a channel without a message for half a year is not recently active', async () => {
    const [old, used] = [await create('old'), await create('used')]
    server.clock.advance(181 * 24 * 3600 * 1000)
    const params = { type: 'channel', to: used, topic: 'x', content: 'Hello.' }
    await server.as('member').post('/messages', params)
    const isActive = async (id: number) =>
      (await server.as('member').get<ChannelReply>(`/streams/${id}`)).stream.is_recently_active
    assert.deepEqual([await isActive(old), await isActive(used)], [false, true])
  })

  test('the first message is kept, and everyone who knows of the channel is told', async () => {
    const id = await create('fresh', { invite_only: true })
    const admin = await server.as('admin').watch('stream')
    const outsider = await server.as('outsider').watch('stream')
    const params = { type: 'channel', to: id, topic: 'x', content: 'Hello.' }
    const first = await server.as('member').post<{ id: number }>('/messages', params)
    await server.as('member').post('/messages', params)
    const { stream } = await server.as('member').get<ChannelReply>(`/streams/${id}`)
    assert.equal(stream.first_message_id, first.id)
    const event = { type: 'stream', op: 'update', stream_id: id, name: 'fresh' }
    const told = { ...event, property: 'first_message_id', value: first.id }
    assert.deepEqual(await admin.drain(), [told])
    assert.deepEqual(await outsider.drain(), [])
  })
})

describe('a bad request', () => {
  const cases: [string, object, object][] = [
    ['/streams/0', {}, invalidId],
    ['/streams/999999999', {}, invalidId],
    ['/streams/99999999999999999999', {}, failure('stream_id is out of range')],
    ['/streams/999999999/members', {}, invalidId],
    ['/users/me/999999999/topics', {}, invalidId],
    [
      '/users/me/3/topics',
      { allow_empty_topic_name: 1 },
      failure('allow_empty_topic_name is not a boolean'),
    ],
    [
      '/streams',
      { include_public: 'maybe' },
      failure('Argument "include_public" is not valid JSON.'),
    ],
    [
      '/get_stream_id',
      {},
      failure("Missing 'stream' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'stream' }),
    ],
    ['/get_stream_id', { stream: '__proto__' }, failure("Invalid channel name '__proto__'")],
    [
      '/get_stream_id',
      { stream: 'a\u0000b' },
      failure('Argument "stream" holds characters that are not allowed.'),
    ],
    [
      '/get_stream_id',
      { stream: 'x'.repeat(2000) },
      failure('stream is too long (limit: 1000 characters)'),
    ],
  ]
  for (const [path, params, expected] of cases) {
    const shown = JSON.stringify(params).slice(0, 60)
    test(`is answered as one: GET ${path} ${shown}`, async () => {
      assert.deepEqual(await server.as('member').get(path, { ...params }), expected)
    })
  }
})
