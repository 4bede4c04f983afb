import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer({ config: { webPublicChannels: true } })
after(server.close)

await server.as('owner').patch('/realm', {
  enable_spectator_access: true,
  can_create_web_public_channel_group: { new: 3 },
})

interface Channel {
  readonly stream_id: number
  readonly name: string
  readonly [member: string]: unknown
}

const limits = () => server.as('member').post('/register', { event_types: ['realm'] })
const subscribe = (actor: Actor, params: CallParams) =>
  server.as(actor).post('/users/me/subscriptions', params)
const update = (actor: Actor, id: number, params: CallParams) =>
  server.as(actor).patch(`/streams/${id}`, params)

async function channelNamed(name: string): Promise<Channel | undefined> {
  const { streams } = await server.as('owner').get<{ streams: Channel[] }>('/streams', {
    exclude_archived: false,
    include_all: true,
    include_default: true,
  })
  return streams.find((channel) => channel.name === name)
}

let made = 0

/** A new channel of the owner's, with these creation parameters. */
async function create(params: CallParams = {}, actor: Actor = 'owner'): Promise<Channel> {
  made += 1
  const name = `made ${made}`
  const reply = await subscribe(actor, { subscriptions: [{ name }], ...params })
  assert.equal(reply.result, 'success', reply.msg)
  const channel = await channelNamed(name)
  assert.ok(channel)
  return channel
}

const groupSettings = [
  'can_add_subscribers_group',
  'can_remove_subscribers_group',
  'can_administer_channel_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
] as const

describe('Subscribe to a channel', () => {
  test('subscribes to channels, creating those that do not exist', async () => {
    const subscriptions = [{ name: 'Scotland' }, { name: 'brand new', description: '*Shiny*' }]
    const reply = await subscribe('member', { subscriptions })
    assert.deepEqual(reply.subscribed, { 10: ['Scotland', 'brand new'] })
    assert.equal((await channelNamed('brand new'))?.rendered_description, '<p><em>Shiny</em></p>')
    const again = await subscribe('member', { subscriptions })
    assert.deepEqual(again.already_subscribed, { 10: ['Scotland', 'brand new'] })
  })

  test('`name` is required, at most `max_stream_name_length` characters', async () => {
    const most = Number((await limits()).max_stream_name_length)
    const tooLong = { subscriptions: [{ name: 'a'.repeat(most + 1) }] }
    assert.equal((await subscribe('member', tooLong)).code, 'BAD_REQUEST')
    assert.equal((await subscribe('member', { subscriptions: [{}] })).code, 'BAD_REQUEST')
    const fits = { subscriptions: [{ name: 'a'.repeat(most) }] }
    assert.equal((await subscribe('member', fits)).result, 'success')
  })

  test('`description` has at most `max_stream_description_length` characters, and is used only for a new channel', async () => {
    const most = Number((await limits()).max_stream_description_length)
    const asked = (name: string, length: number) => ({
      subscriptions: [{ name, description: 'd'.repeat(length) }],
    })
    assert.equal((await subscribe('member', asked('described', most + 1))).code, 'BAD_REQUEST')
    assert.equal((await subscribe('member', asked('described', most))).result, 'success')
    await subscribe('member', { subscriptions: [{ name: 'Verona', description: 'Changed.' }] })
    assert.equal((await channelNamed('Verona'))?.description, 'A city in Italy')
  })

  const principals: [title: string, principals: unknown][] = [
    ['user IDs', [6, 8]],
    ['API emails', ['user6@zulipdev.com', 'user8@zulipdev.com']],
  ]
  for (const [title, list] of principals) {
    test(`\`principals\` may be ${title}`, async () => {
      const name = `for ${title}`
      const reply = await subscribe('member', { subscriptions: [{ name }], principals: list })
      assert.deepEqual(reply.subscribed, { 6: [name], 8: [name] })
    })
  }

  test('an unknown or deactivated principal is HTTP 400 with `BAD_REQUEST`, and nobody is subscribed', async () => {
    await server.as('admin').del('/users/7')
    for (const principals of [
      [6, 9999],
      [6, 7],
      ['user6@zulipdev.com', 'nobody@example.com'],
    ]) {
      const reply = await subscribe('member', { subscriptions: [{ name: 'Rome' }], principals })
      assert.deepEqual([reply.status, reply.code], [400, 'BAD_REQUEST'])
      const { is_subscribed } = await server.as('owner').get('/users/6/subscriptions/5')
      assert.equal(is_subscribed, false)
    }
    await server.as('admin').post('/users/7/reactivate')
  })

  test('`authorization_errors_fatal` is true by default; false lists the channels under `unauthorized`', async () => {
    const secret = await create({ invite_only: true })
    const subscriptions = [{ name: secret.name }, { name: 'Rome' }]
    assert.equal((await subscribe('outsider', { subscriptions })).result, 'error')
    const reply = await subscribe('outsider', { subscriptions, authorization_errors_fatal: false })
    assert.deepEqual(
      [reply.result, reply.unauthorized, reply.subscribed],
      ['success', [secret.name], { 6: ['Rome'] }],
    )
  })

  test('`announce` lets the notification bot announce a created channel, false by default', async () => {
    const watch = await server.as('outsider').watch('message')
    await create()
    assert.deepEqual(await watch.drain(), [])
    const { name } = await create({ announce: true })
    const [event] = await watch.drain()
    const { message } = event as unknown as { message: Record<string, unknown> }
    assert.deepEqual(
      [message.sender_full_name, message.display_recipient],
      ['Notification Bot', 'announce'],
    )
    assert.match(String(message.content), new RegExp(name))
  })

  const creation: [params: CallParams, expected: CallParams][] = [
    [{}, { invite_only: false, is_web_public: false, history_public_to_subscribers: true }],
    [{ invite_only: true }, { invite_only: true, history_public_to_subscribers: false }],
    [
      { invite_only: true, history_public_to_subscribers: true },
      { invite_only: true, history_public_to_subscribers: true },
    ],
    [{ is_web_public: true }, { is_web_public: true }],
    [{ is_default_stream: true }, { is_default: true }],
    [{ message_retention_days: 30 }, { message_retention_days: 30 }],
    [{ message_retention_days: 'realm_default' }, { message_retention_days: null }],
    [{ message_retention_days: 'unlimited' }, { message_retention_days: -1 }],
    [{ topics_policy: 'disable_empty_topic' }, { topics_policy: 'disable_empty_topic' }],
    [{}, { topics_policy: 'inherit' }],
    ...groupSettings.map((name): [CallParams, CallParams] => [{ [name]: 4 }, { [name]: 4 }]),
    ...groupSettings.map((name): [CallParams, CallParams] => {
      const value = { direct_members: [8, 10], direct_subgroups: [3] }
      return [{ [name]: value }, { [name]: value }]
    }),
  ]
  for (const [params, expected] of creation) {
    test(`${JSON.stringify(params)} makes a channel with ${JSON.stringify(expected)}`, async () => {
      const channel = await create(params)
      for (const [name, value] of Object.entries(expected)) {
        assert.deepEqual(channel[name], value, name)
      }
    })
  }

  test('the creation parameters are ignored for channels that already exist', async () => {
    const before = await channelNamed('Denmark')
    const reply = await subscribe('member', {
      subscriptions: [{ name: 'Denmark' }],
      invite_only: true,
      message_retention_days: 3,
      can_add_subscribers_group: 4,
    })
    assert.equal(reply.result, 'success')
    assert.deepEqual(await channelNamed('Denmark'), before)
  })

  test('`is_web_public` requires `enable_spectator_access` and `can_create_web_public_channel_group`', async () => {
    const asked = { subscriptions: [{ name: 'open to all' }], is_web_public: true }
    assert.equal((await subscribe('member', asked)).result, 'error')
    await server.as('owner').patch('/realm', { enable_spectator_access: false })
    assert.equal((await subscribe('owner', asked)).result, 'error')
    await server.as('owner').patch('/realm', { enable_spectator_access: true })
    assert.equal((await subscribe('owner', asked)).result, 'success')
  })

  test('users who can administer a public channel may add subscribers, whatever `can_add_subscribers_group` is', async () => {
    const group = { direct_members: [server.ids.cordelia], direct_subgroups: [] }
    const { name } = await create({
      can_administer_channel_group: group,
      can_add_subscribers_group: 1,
    })
    await server.as('owner').patch('/realm', { can_add_subscribers_group: { new: 2 } })
    const asked = { subscriptions: [{ name }], principals: [server.ids.othello] }
    const refused = await subscribe('member', asked)
    const added = await subscribe('cordelia', asked)
    await server.as('owner').patch('/realm', { can_add_subscribers_group: { new: 6 } })
    assert.equal(refused.result, 'error')
    assert.deepEqual(added.subscribed, { [server.ids.othello]: [name] })
  })

  test('members of `can_add_subscribers_group` need not be subscribed to a private channel to add subscribers', async () => {
    const group = { direct_members: [server.ids.cordelia], direct_subgroups: [] }
    const { name } = await create({ invite_only: true, can_add_subscribers_group: group })
    const asked = { subscriptions: [{ name }], principals: [server.ids.othello] }
    assert.equal((await subscribe('member', asked)).result, 'error')
    assert.deepEqual((await subscribe('cordelia', asked)).subscribed, {
      [server.ids.othello]: [name],
    })
  })

  test('members of `can_delete_any_message_group` with content access may delete any message of the channel', async () => {
    const group = { direct_members: [server.ids.cordelia, 6], direct_subgroups: [] }
    const { stream_id } = await create({
      invite_only: true,
      can_delete_any_message_group: group,
      principals: [server.ids.cordelia, server.ids.owner],
    })
    const say = async () =>
      (
        await server
          .as('owner')
          .post('/messages', { type: 'channel', to: stream_id, topic: 'x', content: 'x' })
      ).id
    const [one, two] = [await say(), await say()]
    assert.deepEqual(await server.as('cordelia').del(`/messages/${one}`), success)
    assert.deepEqual(
      await server.as('outsider').del(`/messages/${two}`),
      failure('Invalid message(s)'),
    )
  })

  test('organization administrators can always remove subscribers, whatever `can_remove_subscribers_group` is', async () => {
    const { name } = await create({ can_remove_subscribers_group: 1, principals: [8, 9] })
    const params = { subscriptions: [name], principals: [8] }
    const refused = await server.as('member').del('/users/me/subscriptions', params)
    assert.equal(refused.result, 'error')
    const reply = await server.as('admin').del('/users/me/subscriptions', params)
    assert.deepEqual(reply.removed, [name])
  })
})

test('Subscribe to a channel: `is_web_public` requires the server setting', async () => {
  const closed = await startServer({ config: { webPublicChannels: false } })
  const subscriptions = [{ name: 'open to all' }]
  const reply = await closed
    .as('owner')
    .post('/users/me/subscriptions', { subscriptions, is_web_public: true })
  await closed.close()
  assert.equal(reply.result, 'error')
})

describe('Update a channel', () => {
  const changes: [params: CallParams, expected: CallParams][] = [
    [
      { description: '*New*' },
      { description: '*New*', rendered_description: '<p><em>New</em></p>' },
    ],
    [{ new_name: 'renamed' }, { name: 'renamed' }],
    [{ is_private: true }, { invite_only: true }],
    [{ is_web_public: true }, { is_web_public: true }],
    [
      { is_private: true, history_public_to_subscribers: false },
      { invite_only: true, history_public_to_subscribers: false },
    ],
    [{ is_default_stream: true }, { is_default: true }],
    [{ message_retention_days: 7 }, { message_retention_days: 7 }],
    [{ message_retention_days: 'unlimited' }, { message_retention_days: -1 }],
    [{ topics_policy: 'allow_empty_topic' }, { topics_policy: 'allow_empty_topic' }],
    [{ topics_policy: 'empty_topic_only' }, { topics_policy: 'empty_topic_only' }],
    [{ folder_id: 1 }, { folder_id: 1 }],
    ...groupSettings.map((name): [CallParams, CallParams] => [
      { [name]: { new: 4 } },
      { [name]: 4 },
    ]),
  ]
  for (const [params, expected] of changes) {
    test(`${JSON.stringify(params)} changes exactly that`, async () => {
      const channel = await create()
      const empty = params.topics_policy === 'empty_topic_only'
      if (empty) {
        const topic_name = 'channel events'
        await server.as('owner').post(`/streams/${channel.stream_id}/delete_topic`, { topic_name })
      }
      assert.deepEqual(await update('owner', channel.stream_id, params), success)
      const reply = await server
        .as('owner')
        .get<{ stream: Channel }>(`/streams/${channel.stream_id}`)
      const { first_message_id: _, is_recently_active: _active, ...now } = reply.stream
      const { first_message_id: _first, is_recently_active: _was, is_default, ...before } = channel
      const { is_default: nowDefault, ...asExpected } = expected
      if ('is_default' in expected) {
        assert.equal((await channelNamed(channel.name))?.is_default, nowDefault)
        assert.equal(is_default, false)
      }
      for (const [name, value] of Object.entries(asExpected)) {
        assert.deepEqual(now[name as keyof typeof now], value, name)
      }
      for (const name of ['date_created', 'creator_id'] as const) {
        assert.deepEqual(now[name], before[name])
      }
    })
  }

  test("changing a private channel's permissions requires the administrator to be subscribed to it", async () => {
    const { stream_id } = await create({ invite_only: true })
    const params = { can_send_message_group: { new: 3 } }
    const hidden = await update('admin', stream_id, { is_private: false })
    assert.equal(hidden.result, 'error')
    await subscribe('owner', { subscriptions: [{ name: `made ${made}` }], principals: [11] })
    assert.deepEqual(await update('admin', stream_id, params), success)
    assert.deepEqual(await update('admin', stream_id, { is_private: false }), success)
  })

  const publicForms: CallParams[] = [
    { is_private: false, history_public_to_subscribers: false },
    { is_private: false, is_web_public: true, history_public_to_subscribers: false },
  ]
  for (const params of publicForms) {
    test(`it is an error to send ${JSON.stringify(params)}`, async () => {
      const { stream_id } = await create()
      const reply = await update('owner', stream_id, params)
      assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
    })
  }

  test('only unarchiving is supported by `is_archived`, by false', async () => {
    const { stream_id } = await create()
    assert.deepEqual(await server.as('owner').del(`/streams/${stream_id}`), success)
    const archived = async () =>
      (await server.as('owner').get<{ stream: Channel }>(`/streams/${stream_id}`)).stream
        .is_archived
    assert.equal(await archived(), true)
    assert.deepEqual(await update('owner', stream_id, { is_archived: false }), success)
    assert.equal(await archived(), false)
    await update('owner', stream_id, { is_archived: true })
    assert.equal(await archived(), false)
  })

  test('`folder_id` null removes the channel from its folder', async () => {
    const { stream_id } = await create({ folder_id: 1 })
    assert.deepEqual(await update('owner', stream_id, { folder_id: null }), success)
    const { stream } = await server.as('owner').get<{ stream: Channel }>(`/streams/${stream_id}`)
    assert.equal(stream.folder_id, null)
  })

  test('`empty_topic_only` only if all existing messages are in the empty topic', async () => {
    const { stream_id } = await create()
    const params = { topics_policy: 'empty_topic_only' }
    await server
      .as('owner')
      .post('/messages', { type: 'channel', to: stream_id, topic: 'named', content: 'Hello.' })
    const reply = await update('owner', stream_id, params)
    assert.equal(reply.result, 'error')
  })

  for (const name of groupSettings) {
    test(`\`${name}\`: a wrong \`old\` is an error and changes nothing`, async () => {
      const { stream_id } = await create()
      const wrong = await update('owner', stream_id, { [name]: { new: 4, old: 6 } })
      assert.equal(wrong.result, 'error')
      const { stream } = await server.as('owner').get<{ stream: Channel }>(`/streams/${stream_id}`)
      assert.notEqual(stream[name], 4)
      const right = await update('owner', stream_id, { [name]: { new: 4, old: stream[name] } })
      assert.deepEqual(right, success)
    })

    test(`\`${name}\`: a bare value is no group-setting update`, async () => {
      const { stream_id } = await create()
      assert.equal((await update('owner', stream_id, { [name]: 4 })).result, 'error')
    })
  }

  test('modifying group settings needs access and permission to administer the channel', async () => {
    const { stream_id } = await create({
      can_administer_channel_group: { direct_members: [8], direct_subgroups: [] },
    })
    const params = { can_remove_subscribers_group: { new: 4 } }
    assert.equal((await update('member', stream_id, params)).result, 'error')
    assert.deepEqual(await update('cordelia', stream_id, params), success)
  })
})

describe('Update personal preferences for a topic', () => {
  const set = (params: CallParams) =>
    server
      .as('member')
      .post('/user_topics', { stream_id: 4, topic: 'x', visibility_policy: 1, ...params })

  for (const policy of [1, 2, 3, 0]) {
    test(`\`visibility_policy\` ${policy} succeeds without any message, and a \`user_topic\` event is delivered`, async () => {
      const watch = await server.as('member').watch('user_topic')
      assert.deepEqual(await set({ topic: 'never used', visibility_policy: policy }), success)
      const [event] = await watch.drain()
      assert.deepEqual(
        [event?.stream_id, event?.topic_name, event?.visibility_policy],
        [4, 'never used', policy],
      )
    })
  }

  for (const visibility_policy of [-1, 4, 'followed']) {
    test(`\`visibility_policy\` is not ${visibility_policy}`, async () => {
      assert.equal((await set({ visibility_policy })).result, 'error')
    })
  }

  test('`topic` has at most `max_topic_length` characters', async () => {
    const most = Number((await limits()).max_topic_length)
    assert.deepEqual(await set({ topic: 'a'.repeat(most) }), success)
    assert.equal((await set({ topic: 'a'.repeat(most + 1) })).result, 'error')
  })

  for (const name of ['stream_id', 'topic', 'visibility_policy'] as const) {
    test(`\`${name}\` is required`, async () =>
      assert.equal((await set({ [name]: undefined })).result, 'error'))
  }
})

describe('Create drafts', () => {
  test('`ids` are the new draft IDs; other clients are informed through drafts events', async () => {
    const watch = await server.as('member').watch('drafts')
    const draft = { type: 'stream', to: [4], topic: 'a', content: 'b', timestamp: 1 }
    const { ids } = await server
      .as('member')
      .post<{ ids: number[] }>('/drafts', { drafts: [draft, { ...draft, topic: 'c' }] })
    assert.deepEqual(await watch.drain(), [
      {
        type: 'drafts',
        op: 'add',
        drafts: [
          { id: ids[0], ...draft },
          { id: ids[1], ...draft, topic: 'c' },
        ],
      },
    ])
  })

  test('`BAD_REQUEST` when a channel draft does not name exactly one channel ID', async () => {
    const draft = { type: 'stream', to: [3, 4], topic: 'a', content: 'b' }
    const reply = await server.as('member').post('/drafts', { drafts: [draft] })
    assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
  })
})

describe('Get events from an event queue', () => {
  test('returns events with IDs greater than `last_event_id`; IDs increase', async () => {
    const watch = await server.as('member').watch('message')
    for (let i = 0; i < 3; i++) await server.say('admin', 'public')
    const get = (last: number) =>
      server.as('member').get<{ events: { id: number }[]; queue_id: string }>('/events', {
        queue_id: watch.queueId,
        last_event_id: last,
        dont_block: true,
      })
    const { events, queue_id } = await get(-1)
    const ids = events.map(({ id }) => id)
    assert.deepEqual(
      [ids.length, ids, queue_id],
      [3, [...ids].sort((a, b) => a - b), watch.queueId],
    )
    const rest = await get(Number(ids[1]))
    assert.deepEqual(
      rest.events.map(({ id }) => id),
      [ids[2]],
    )
  })

  test('`events` may be empty when `dont_block` is set', async () => {
    const watch = await server.as('member').watch('message')
    assert.deepEqual(await watch.drain(), [])
  })

  test('otherwise the call waits, and returns a heartbeat event when a few minutes at most pass', async () => {
    const watch = await server.as('member').watch('message')
    const waiting = watch.next()
    await server.as('member').get('/users/me')
    server.clock.advance(3 * 60 * 1000)
    const [event] = await waiting
    assert.equal(event?.type, 'heartbeat')
  })

  test('if the registration parameters are passed instead of a queue ID, a queue is registered', async () => {
    const reply = await server
      .as('member')
      .get('/events', { event_types: ['message'], dont_block: true })
    assert.equal(reply.result, 'success', reply.msg)
    assert.equal(typeof reply.queue_id, 'string')
  })

  test('`event_queue_longpoll_timeout_seconds` exceeds the heartbeat interval', async () => {
    const timeout = Number((await limits()).event_queue_longpoll_timeout_seconds)
    assert.ok(timeout > server.server.context.config.heartbeatSeconds)
  })

  test('`BAD_EVENT_QUEUE_ID` for an unknown queue', async () => {
    const reply = await server.as('member').get('/events', { queue_id: 'none', last_event_id: -1 })
    assert.deepEqual(reply, failure(reply.msg, 'BAD_EVENT_QUEUE_ID', { queue_id: 'none' }))
  })
})

describe('Channel archive and topic deletion progress (States)', () => {
  test('an archived channel is unarchived by PATCH with `is_archived`', async () => {
    const { stream_id, name } = await create()
    await server.as('owner').del(`/streams/${stream_id}`)
    const { streams } = await server.as('owner').get<{ streams: Channel[] }>('/streams')
    assert.ok(!streams.some((channel) => channel.name === name))
    await update('owner', stream_id, { is_archived: false })
    const after = await server.as('owner').get<{ streams: Channel[] }>('/streams')
    assert.ok(after.streams.some((channel) => channel.name === name))
  })

  test('deleting every message in a topic removes the topic', async () => {
    const { stream_id } = await create()
    const topics = async () =>
      (
        await server
          .as('owner')
          .get<{ topics: { name: string }[] }>(`/users/me/${stream_id}/topics`)
      ).topics.length
    const { id } = await server
      .as('owner')
      .post('/messages', { type: 'channel', to: stream_id, topic: 'one', content: 'Hello.' })
    const before = await topics()
    assert.deepEqual(await server.as('owner').del(`/messages/${id}`), success)
    assert.equal(await topics(), before - 1)
  })
})
