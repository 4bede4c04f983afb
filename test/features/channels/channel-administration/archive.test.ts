import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer({ channelNotices: true })
after(server.close)

const { ids } = server

const only = (...members: Actor[]) => ({
  direct_members: members.map((actor) => ids[actor]),
  direct_subgroups: [],
})

let made = 0
/** A channel that the owner creates, for itself and the member; cordelia administers it too. */
async function make(params: CallParams = {}) {
  made += 1
  const name = `archived ${made}`
  const reply = await server.as('owner').post('/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: [ids.owner, ids.member, ids.guest],
    can_administer_channel_group: only('cordelia'),
    ...params,
  })
  assert.equal(reply.result, 'success', reply.msg)
  const found = await server.as('owner').get<{ stream_id: number }>('/get_stream_id', {
    stream: name,
  })
  return { id: found.stream_id, name }
}
const archive = (actor: Actor, id: number) => server.as(actor).del(`/streams/${id}`)
const revive = (actor: Actor, id: number, params: CallParams = {}) =>
  server.as(actor).patch(`/streams/${id}`, { is_archived: false, ...params })
const look = async (id: number) =>
  (await server.as('owner').get<{ stream: Record<string, unknown> }>(`/streams/${id}`)).stream
const post = (actor: Actor, id: number, content = 'Hello.') =>
  server.as(actor).post<{ id: number }>('/messages', {
    type: 'channel',
    to: id,
    topic: 'plans',
    content,
  })

const unknown = failure('Invalid channel ID')
const denied = failure('Insufficient permission')

describe('who may archive and unarchive', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix: ['public' | 'private', Actor, object][] = [
    ['public',  'owner',     success],
    ['public',  'admin',     success],
    ['public',  'cordelia',  success],
    ['public',  'moderator', denied],
    ['public',  'member',    denied],
    ['public',  'bot',       denied],
    ['public',  'guest',     denied],
    ['private', 'owner',     success],
    ['private', 'admin',     success],
    ['private', 'cordelia',  success],
    ['private', 'member',    denied],
    ['private', 'guest',     denied],
    ['private', 'moderator', unknown],
    ['private', 'outsider',  unknown],
  ]
  for (const [kind, actor, expected] of matrix) {
    const can = expected === success ? 'can' : 'cannot'
    test(`${actor} ${can} archive a ${kind} channel, and bring it back`, async () => {
      const { id } = await make({ invite_only: kind === 'private' })
      assert.deepEqual(await archive(actor, id), expected)
      assert.equal((await look(id)).is_archived, expected === success)
      if (expected !== success) await archive('owner', id)
      assert.deepEqual(await revive(actor, id), expected)
      assert.equal((await look(id)).is_archived, expected !== success)
    })
  }

  test('nobody twice, and no channel that is not there', async () => {
    const { id } = await make()
    assert.deepEqual(await revive('owner', id), failure('This channel is not archived.'))
    assert.deepEqual(await archive('owner', id), success)
    assert.deepEqual(await archive('owner', id), failure('This channel is already archived.'))
    assert.deepEqual(
      await server.as('owner').patch(`/streams/${id}`, { is_archived: true }),
      failure('Use DELETE to archive a channel.'),
    )
    assert.deepEqual(await archive('owner', 999), unknown)
    assert.deepEqual(await revive('owner', 999), unknown)
    assert.equal((await server.anonymous.del(`/streams/${id}`)).status, 401)
  })
})

describe('an archived channel', () => {
  const joiners: [string, Actor, CallParams, boolean][] = [
    ['whoever names it', 'outsider', {}, false],
    ['who is one already', 'member', {}, false],
    ['others', 'member', { principals: [ids.zoe] }, false],
    ['others, from an administrator', 'owner', { principals: [ids.zoe] }, true],
    ['others, from who administers it', 'cordelia', { principals: [ids.zoe] }, true],
  ]
  for (const [what, who, params, isTaken] of joiners) {
    test(`${isTaken ? 'takes' : 'does not take'} as subscribers ${what}`, async () => {
      const { id, name } = await make()
      await archive('owner', id)
      const subscribe = (more: object) =>
        server.as(who).post('/users/me/subscriptions', {
          subscriptions: [{ name: name.toUpperCase() }],
          ...params,
          ...more,
        })
      if (isTaken) {
        assert.deepEqual(Object.values((await subscribe({})).subscribed as object), [[name]])
        return
      }
      assert.deepEqual(await subscribe({}), failure(`Channel '${name}' is archived.`))
      const reply = await subscribe({ authorization_errors_fatal: false })
      assert.deepEqual(reply.unauthorized, [name])
    })
  }

  const names = async (actor: Actor, params: CallParams = {}) => {
    const reply = await server.as(actor).get<{ streams: { name: string }[] }>('/streams', params)
    return reply.streams.map(({ name }) => name)
  }

  test('is listed for those who ask for archived ones', async () => {
    const { id, name } = await make()
    await archive('owner', id)
    assert.equal((await names('member')).includes(name), false)
    assert.equal((await names('member', { exclude_archived: true })).includes(name), false)
    assert.equal((await names('member', { exclude_archived: false })).includes(name), true)
    const own = await server
      .as('member')
      .get<{ subscriptions: { name: string }[] }>('/users/me/subscriptions')
    assert.equal(
      own.subscriptions.some((subscription) => subscription.name === name),
      false,
    )
  })

  test('is registered with clients that know archived channels', async () => {
    const { id } = await make()
    await archive('owner', id)
    for (const knows of [true, false]) {
      const { state } = await server.as('member').watchWith({
        fetch_event_types: ['stream', 'subscription'],
        client_capabilities: { archived_channels: knows },
      })
      for (const list of ['streams', 'subscriptions'] as const) {
        const found = (state[list] as { stream_id: number }[]).some(
          ({ stream_id }) => stream_id === id,
        )
        assert.equal(found, knows, list)
      }
    }
  })

  test('keeps its messages, its subscribers and its settings, but takes nothing new', async () => {
    const { id, name } = await make({ folder_id: 1 })
    const before = await look(id)
    const sent = await post('member', id)
    await archive('owner', id)
    assert.equal((await server.as('member').get(`/messages/${sent.id}`)).result, 'success')
    const members = await server.as('member').get(`/streams/${id}/members`)
    assert.deepEqual(
      members.subscribers,
      [ids.owner, ids.member, ids.guest].sort((a, b) => a - b),
    )
    const refused = failure(`Not authorized to send to channel '${name}'`)
    assert.deepEqual(await post('member', id), refused)
    assert.deepEqual(await look(id), { ...before, is_archived: true })
  })

  test('is no default anymore, and cannot be one', async () => {
    const { id } = await make({ is_default_stream: true })
    const queue = await server.as('member').watch('default_streams')
    await archive('owner', id)
    const [event] = await queue.drain()
    assert.ok(event?.type === 'default_streams')
    assert.equal((event.default_streams as number[]).includes(id), false)
    assert.deepEqual(
      await server.as('owner').patch(`/streams/${id}`, { is_default_stream: true }),
      failure('An archived channel cannot be a default channel.'),
    )
    assert.deepEqual(await revive('owner', id), success)
    assert.deepEqual(await queue.drain(), [])
  })

  test('can change its name and privacy without a word in it', async () => {
    const { id } = await make()
    await archive('owner', id)
    const queue = await server.as('member').watch('message')
    const change = { new_name: `kept ${id}`, is_private: true }
    assert.deepEqual(await server.as('owner').patch(`/streams/${id}`, change), success)
    const { name, invite_only, is_archived } = await look(id)
    assert.deepEqual([name, invite_only, is_archived], [`kept ${id}`, true, true])
    assert.deepEqual(await queue.drain(), [])
  })

  test('is not unread', async () => {
    const { id } = await make()
    const { first_message_id: first } = await look(id)
    const sent = await post('owner', id)
    const queue = await server.as('member').watch('update_message_flags', 'message')
    await archive('owner', id)
    const [notice, flags] = await queue.drain()
    assert.equal(notice?.type, 'message')
    const { id: noticeId } = (notice as unknown as { message: { id: number } }).message
    assert.deepEqual(flags, {
      type: 'update_message_flags',
      op: 'add',
      operation: 'add',
      flag: 'read',
      messages: [first, sent.id, noticeId],
      all: false,
    })
    const { state } = await server.as('member').watchWith({ event_types: ['update_message_flags'] })
    const { streams } = state.unread_msgs as { streams: { stream_id: number }[] }
    assert.equal(
      streams.some(({ stream_id }) => stream_id === id),
      false,
    )
  })
})

describe('events', () => {
  const types = { event_types: ['stream', 'subscription'], include_subscribers: true }
  const knowing = { ...types, client_capabilities: { archived_channels: true } }

  test('clients that know archived channels hear of a property, others lose and find it', async () => {
    const { id, name } = await make()
    // Its first message is no news then.
    await post('owner', id)
    const client = server.as('member')
    const [modern, old] = [await client.watchWith(knowing), await client.watchWith(types)]
    const stranger = await server.as('outsider').watchWith(types)
    const guest = await server.as('guest').watchWith(knowing)
    await archive('owner', id)
    const update = { type: 'stream', op: 'update', stream_id: id, name, property: 'is_archived' }
    const gone = { type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] }
    assert.deepEqual(await modern.drain(), [{ ...update, value: true }])
    assert.deepEqual(await guest.drain(), [{ ...update, value: true }])
    assert.deepEqual(await old.drain(), [gone])
    assert.deepEqual(await stranger.drain(), [gone])
    await revive('cordelia', id)
    const stream = await look(id)
    const created = { type: 'stream', op: 'create', streams: [stream] }
    assert.deepEqual(await modern.drain(), [{ ...update, value: false }])
    assert.deepEqual(await guest.drain(), [{ ...update, value: false }])
    const user_ids = [ids.owner, ids.member, ids.guest].sort((a, b) => a - b)
    const peers = { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids }
    assert.deepEqual(await stranger.drain(), [created, peers])
    const [again, subscribed] = await old.drain()
    assert.deepEqual(again, created)
    const own = await client.get<{ subscriptions: { stream_id: number }[] }>(
      '/users/me/subscriptions',
      { include_subscribers: 'true' },
    )
    assert.deepEqual(subscribed, {
      type: 'subscription',
      op: 'add',
      subscriptions: own.subscriptions.filter(({ stream_id }) => stream_id === id),
    })
  })

  test('one that returns as another is announced as that', async () => {
    const { id, name } = await make({ invite_only: true })
    await post('owner', id)
    await archive('owner', id)
    const modern = await server.as('outsider').watchWith(knowing)
    const old = await server.as('outsider').watchWith(types)
    const subscriber = await server.as('member').watchWith(knowing)
    assert.deepEqual(await revive('owner', id, { is_private: false, folder_id: 1 }), success)
    const stream = await look(id)
    const update = { type: 'stream', op: 'update', stream_id: id, name }
    const returned = { ...update, property: 'is_archived', value: false }
    const user_ids = [ids.owner, ids.member, ids.guest].sort((a, b) => a - b)
    const peers = { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids }
    assert.deepEqual(await modern.drain(), [
      { type: 'stream', op: 'create', streams: [{ ...stream, is_archived: true }] },
      peers,
      returned,
    ])
    assert.deepEqual(await old.drain(), [
      { type: 'stream', op: 'create', streams: [stream] },
      peers,
    ])
    const privacy = { history_public_to_subscribers: true, is_web_public: false }
    assert.deepEqual(await subscriber.drain(), [
      { ...update, property: 'folder_id', value: 1 },
      { ...update, property: 'invite_only', value: false, ...privacy },
      returned,
    ])
  })

  test('who may not know of a private channel hears nothing', async () => {
    const { id } = await make({ invite_only: true })
    const queue = await server.as('outsider').watchWith(knowing)
    await archive('owner', id)
    await revive('owner', id)
    assert.deepEqual(await queue.drain(), [])
  })
})

test('Notification Bot says who archived the channel and who brought it back', async () => {
  const { id } = await make()
  const queue = await server.as('member').watch('message')
  await archive('owner', id)
  await revive('cordelia', id)
  const events = (await queue.drain()) as unknown as {
    message: { content: string; subject: string }
  }[]
  assert.deepEqual(
    events.map(({ message }) => `${message.subject}: ${message.content}`),
    [
      'channel events: @_**Desdemona|9** archived this channel.',
      "channel events: @_**Cordelia, Lear's daughter|8** brought this channel back from the archive.",
    ],
  )
})

test('what someone deactivated did not read of an archived channel counts as read', async () => {
  const former = await server.enroll('Former Reader')
  const { id, name } = await make({ principals: [ids.owner, former.id] })
  await server.as('owner').del(`/users/${former.id}`)
  const content = 'Nobody is here.'
  const sent = await server
    .as('owner')
    .post('/messages', { type: 'channel', to: id, topic: 'x', content })
  assert.equal(sent.result, 'success')
  await archive('owner', id)
  await server.as('owner').post(`/users/${former.id}/reactivate`)
  const { unread_msgs } = await former.post<{ unread_msgs: { streams: object[] } }>('/register')
  assert.deepEqual(unread_msgs.streams, [], name)
})
