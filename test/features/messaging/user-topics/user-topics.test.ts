import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { updateChannel } from '#features/foundation/channels/queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type Channel, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { channels } = server
const { store } = server.server.context

const now = () => Math.floor(server.clock.now() / 1000)
const set = (actor: Actor, channel: Channel | number, topic: string, visibility_policy: number) => {
  const stream_id = typeof channel === 'number' ? channel : channels[channel]
  return server.as(actor).post('/user_topics', { stream_id, topic, visibility_policy })
}
const mute = (actor: Actor, params: object) =>
  server.as(actor).patch('/users/me/subscriptions/muted_topics', { ...params })

const modern = { client_capabilities: { empty_topic_name: true } }
async function registered(actor: Actor, params: object = {}): Promise<unknown> {
  const { state } = await server
    .as(actor)
    .watchWith({ fetch_event_types: ['user_topic'], ...params })
  return state.user_topics
}

const topicJson = (stream_id: number, topic_name: string, visibility_policy: number) => ({
  stream_id,
  topic_name,
  last_updated: now(),
  visibility_policy,
})

describe('POST /user_topics', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, Channel, boolean][] = [
    ['member',   'public',    true],
    ['outsider', 'public',    true],
    ['bot',      'public',    true],
    ['guest',    'public',    false],
    ['guest',    'shared',    true],
    ['guest',    'webPublic', true],
    ['member',   'private',   true],
    ['admin',    'private',   true],
    ['moderator', 'private',  false],
    ['outsider', 'private',   false],
    ['guest',    'private',   false],
  ]
  for (const [actor, channel, may] of matrix) {
    const can = may ? 'can' : 'cannot'
    test(`${actor} ${can} set a policy in the ${channel} channel`, async () => {
      const expected = may ? success : failure('Invalid channel ID')
      for (const policy of [1, 2, 3, 0]) {
        assert.deepEqual(await set(actor, channel, 'plans', policy), expected)
      }
    })
  }

  test('an administrator cannot follow topics of a private channel that is not theirs', async () => {
    const asked = { subscriptions: [{ name: 'sealed' }], invite_only: true }
    await server.as('member').post('/users/me/subscriptions', asked)
    const found = { stream: 'sealed' }
    const { stream_id } = await server
      .as('admin')
      .get<{ stream_id: number }>('/get_stream_id', found)
    assert.deepEqual(await set('admin', stream_id, 'x', 3), failure('Invalid channel ID'))
  })

  for (const [name, policy] of Object.entries({ muted: 1, unmuted: 2, followed: 3 })) {
    test(`a topic is ${name}, the user's clients are told, and it is registered`, async () => {
      const queue = await server.as('cordelia').watch('user_topic')
      const other = await server.as('member').watch('user_topic')
      assert.deepEqual(await set('cordelia', 'shared', 'Lunch', policy), success)
      const json = topicJson(channels.shared, 'Lunch', policy)
      assert.deepEqual(await queue.drain(), [{ type: 'user_topic', ...json }])
      assert.deepEqual(await other.drain(), [])
      assert.deepEqual(await registered('cordelia'), [json])
    })
  }

  test('topics are compared without regard to case, and named as last time', async () => {
    server.clock.advance(5000)
    await set('cordelia', 'shared', 'LUNCH', 1)
    assert.deepEqual(await registered('cordelia'), [topicJson(channels.shared, 'LUNCH', 1)])
    const queue = await server.as('cordelia').watch('user_topic')
    await set('cordelia', 'shared', 'lunch', 0)
    const json = topicJson(channels.shared, 'lunch', 0)
    assert.deepEqual(await queue.drain(), [{ type: 'user_topic', ...json }])
    assert.deepEqual(await registered('cordelia'), [])
  })

  test('the empty topic has the name that the client can show', async () => {
    const event_types = ['user_topic']
    const old = await server.as('othello').watchWith({ event_types })
    const queue = await server.as('othello').watchWith({ event_types, ...modern })
    for (const topic of ['', '(no topic)', ' general chat ']) {
      assert.deepEqual(await set('othello', 'shared', topic, 3), success)
      const event = { type: 'user_topic', ...topicJson(channels.shared, '', 3) }
      assert.deepEqual(await queue.drain(), [event])
      assert.deepEqual(await old.drain(), [{ ...event, topic_name: 'general chat' }])
    }
    assert.deepEqual(await registered('othello', modern), [topicJson(channels.shared, '', 3)])
    const shown = [topicJson(channels.shared, 'general chat', 3)]
    assert.deepEqual(await registered('othello'), shown)
  })

  test('a policy can be taken back, and is not registered, after the channel is gone', async () => {
    const asked = { subscriptions: [{ name: 'cave' }], invite_only: true }
    await server.as('prospero').post('/users/me/subscriptions', asked)
    const found = { stream: 'cave' }
    const { stream_id } = await server
      .as('prospero')
      .get<{ stream_id: number }>('/get_stream_id', found)
    await set('prospero', stream_id, 'Magic', 1)
    await server.as('prospero').del('/users/me/subscriptions', { subscriptions: ['cave'] })
    // The creator administers the channel, and so knows of it still.
    assert.deepEqual(await registered('prospero'), [topicJson(stream_id, 'Magic', 1)])
    await store.write((tx) => void updateChannel(tx, stream_id, { canAdministerChannelGroup: 1 }))
    assert.deepEqual(await registered('prospero'), [])
    assert.deepEqual(await set('prospero', stream_id, 'Magic', 3), failure('Invalid channel ID'))
    assert.deepEqual(await set('prospero', stream_id, 'magic', 0), success)
    assert.deepEqual(await set('prospero', stream_id, 'magic', 0), failure('Invalid channel ID'))
  })

  const long = 'x'.repeat(61)
  // biome-ignore format: a matrix reads best in columns
  const bad: [object, object][] = [
    [{ topic: 'x', visibility_policy: 1 }, failure("Missing 'stream_id' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'stream_id' })],
    [{ stream_id: 3, visibility_policy: 1 }, failure("Missing 'topic' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'topic' })],
    [{ stream_id: 3, topic: 'x' }, failure("Missing 'visibility_policy' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'visibility_policy' })],
    [{ stream_id: 3, topic: 'x', visibility_policy: 4 }, failure('Invalid visibility_policy')],
    [{ stream_id: 3, topic: 'x', visibility_policy: -1 }, failure('Invalid visibility_policy')],
    [{ stream_id: 3, topic: 'x', visibility_policy: 'muted' }, failure('Argument "visibility_policy" is not valid JSON.')],
    [{ stream_id: 'Verona', topic: 'x', visibility_policy: 1 }, failure('Argument "stream_id" is not valid JSON.')],
    [{ stream_id: 999, topic: 'x', visibility_policy: 1 }, failure('Invalid channel ID')],
    [{ stream_id: -3, topic: 'x', visibility_policy: 0 }, failure('Invalid channel ID')],
    [{ stream_id: 3, topic: long, visibility_policy: 1 }, failure('topic is too long (limit: 60 characters)')],
    [{ stream_id: 3, topic: 'x'.repeat(5000), visibility_policy: 1 }, failure('topic is too long (limit: 1000 characters)')],
    [{ stream_id: 3, topic: 'a\nb', visibility_policy: 1 }, failure('Invalid character in topic, at position 2: U+000A.')],
    [{ stream_id: 3, topic: 'a\u0000b', visibility_policy: 1 }, failure('Argument "topic" holds characters that are not allowed.')],
  ]
  for (const [params, expected] of bad) {
    test(`a bad request changes nothing: ${JSON.stringify(params).slice(0, 70)}`, async () => {
      const before = await registered('zoe')
      assert.deepEqual(await server.as('zoe').post('/user_topics', { ...params }), expected)
      assert.deepEqual(await registered('zoe'), before)
    })
  }

  test('the longest topic is counted in characters', async () => {
    assert.deepEqual(await set('zoe', 'shared', '😎'.repeat(60), 3), success)
    const tooLong = failure('topic is too long (limit: 60 characters)')
    assert.deepEqual(await set('zoe', 'shared', '😎'.repeat(61), 3), tooLong)
  })
})

describe('PATCH /users/me/subscriptions/muted_topics', () => {
  test('mutes and unmutes by channel name or id', async () => {
    assert.deepEqual(await mute('owner', { stream: 'verona', topic: 'a', op: 'add' }), success)
    assert.deepEqual(await mute('owner', { stream_id: 4, topic: 'b', op: 'add' }), success)
    const both = [topicJson(3, 'a', 1), topicJson(4, 'b', 1)]
    assert.deepEqual(await registered('owner'), both)
    assert.deepEqual(await mute('owner', { stream_id: 3, topic: 'A', op: 'remove' }), success)
    assert.deepEqual(await mute('owner', { stream_id: 3, topic: 'A', op: 'remove' }), success)
    assert.deepEqual(await registered('owner'), [topicJson(4, 'b', 1)])
  })

  // biome-ignore format: a matrix reads best in columns
  const bad: [object, object][] = [
    [{ topic: 'x', op: 'add' }, failure("Please supply 'stream'.")],
    [{ stream: 'Verona', stream_id: 3, topic: 'x', op: 'add' }, failure("Please choose one: 'stream' or 'stream_id'.")],
    [{ stream_id: 3, topic: 'x', op: 'toggle' }, failure('Invalid op')],
    [{ stream_id: 8, topic: 'x', op: 'add' }, failure('Invalid channel ID')],
    [{ stream: 'core team', topic: 'x', op: 'add' }, failure("Invalid channel name 'core team'")],
    [{ stream: 'no team', topic: 'x', op: 'add' }, failure("Invalid channel name 'no team'")],
  ]
  for (const [params, expected] of bad) {
    test(`refuses ${JSON.stringify(params)}`, async () => {
      assert.deepEqual(await mute('outsider', params), expected)
    })
  }
})

describe('old clients', () => {
  test('hear of muted topics in the old form, unless they asked for the new one', async () => {
    const old = await server.as('moderator').watch('muted_topics')
    const named = await server.as('moderator').watch('muted_topics', 'user_topic')
    await set('moderator', 'shared', 'noise', 1)
    await set('moderator', 'shared', 'news', 3)
    await set('moderator', 'shared', '', 1)
    await set('moderator', 'shared', 'noise', 0)
    const noise = ['Verona', 'noise', now()]
    const empty = ['Verona', 'general chat', now()]
    assert.deepEqual(await old.drain(), [
      { type: 'muted_topics', muted_topics: [noise] },
      { type: 'muted_topics', muted_topics: [empty, noise] },
      { type: 'muted_topics', muted_topics: [empty] },
    ])
    const types = (await named.drain()).map(({ type }) => type)
    assert.deepEqual(types, ['user_topic', 'user_topic', 'user_topic', 'user_topic'])
    const legacy = await server.as('moderator').watchWith({ fetch_event_types: ['muted_topics'] })
    assert.deepEqual(legacy.state.muted_topics, [empty])
    const all = await server.as('moderator').watchWith({
      fetch_event_types: ['muted_topics', 'user_topic'],
    })
    assert.equal('muted_topics' in all.state, false)
  })
})

test('policies of an archived channel that someone comes to see are told to clients that know archived ones', async () => {
  const owner = server.as('owner')
  const { id } = await owner.post<{ id: number }>('/channels/create', {
    name: 'attic',
    invite_only: true,
    history_public_to_subscribers: true,
    subscribers: [server.ids.owner, server.ids.cordelia],
  })
  assert.deepEqual(await set('cordelia', id, 'lamps', 3), success)
  const followed = topicJson(id, 'lamps', 3)
  const principals = [server.ids.cordelia]
  await owner.del('/users/me/subscriptions', { subscriptions: ['attic'], principals })
  await owner.del(`/streams/${id}`)
  const event_types = ['user_topic']
  const old = await server.as('cordelia').watchWith({ event_types })
  const client_capabilities = { archived_channels: true }
  const queue = await server.as('cordelia').watchWith({ event_types, client_capabilities })
  const administrators = { direct_members: principals, direct_subgroups: [] }
  await owner.patch(`/streams/${id}`, { can_administer_channel_group: { new: administrators } })
  assert.deepEqual(await queue.drain(), [{ type: 'user_topic', ...followed }])
  assert.deepEqual(await old.drain(), [])
})

test('a policy does not follow a topic into a channel that its owner cannot see', async () => {
  const id = await server.say('owner', 'public', 'leaving')
  const params = { stream_id: channels.public, topic: 'leaving', visibility_policy: 3 }
  for (const actor of ['outsider', 'owner'] as const) {
    assert.deepEqual(await server.as(actor).post('/user_topics', params), success)
  }
  const [outsider, owner] = await Promise.all([
    server.as('outsider').watch('user_topic'),
    server.as('owner').watch('user_topic'),
  ])
  const move = { stream_id: channels.private, topic: 'hidden', propagate_mode: 'change_all' }
  assert.equal((await server.as('owner').patch(`/messages/${id}`, move)).result, 'success')
  const places = async (watch: typeof owner) =>
    (await watch.drain()).map((event) => [event.stream_id, event.topic_name])
  assert.deepEqual(await places(outsider), [[channels.public, 'leaving']])
  assert.deepEqual(await places(owner), [
    [channels.public, 'leaving'],
    [channels.private, 'hidden'],
  ])
})
