import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createUser } from '#features/access/accounts/actions.ts'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import {
  setRealmGroupSetting,
  setRealmSetting,
} from '#features/foundation/realm/settings.queries.ts'
import { updateUser } from '#features/foundation/users/queries.ts'
import { failure, success } from '#test/support/replies.ts'
import {
  type Actor,
  administrators,
  type CallParams,
  type Reply,
  startServer,
} from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids, channels } = server
const { store } = server.server.context

let made = 0
const nextName = () => {
  made += 1
  return `fresh ${made}`
}
const create = (actor: Actor, params: CallParams = {}) =>
  server.as(actor).post<{ id: number }>('/channels/create', {
    name: nextName(),
    subscribers: [],
    ...params,
  })
const look = async (id: number) =>
  (
    await server
      .as('owner')
      .get<{ stream: Record<string, unknown> }>(`/streams/${id}`, { extended_members: true })
  ).stream
const subscribers = async (id: number) =>
  (await server.as('owner').get(`/streams/${id}/members`)).subscribers

const denied = failure('Insufficient permission')
const adminsOnly = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')
const unknown = failure('Invalid channel ID')

describe('POST /channels/create: who may', () => {
  const kinds = { public: {}, private: { invite_only: true } }
  // biome-ignore format: a matrix reads best in columns
  const matrix: [keyof typeof kinds, Actor, boolean][] = [
    ['public',  'owner',     true],
    ['public',  'moderator', true],
    ['public',  'member',    false],
    ['public',  'guest',     false],
    ['private', 'admin',     true],
    ['private', 'member',    true],
    ['private', 'bot',       true],
    ['private', 'guest',     false],
  ]
  for (const [kind, actor, may] of matrix) {
    test(`${actor} ${may ? 'can' : 'cannot'} create a ${kind} channel`, async () => {
      const give = (group: 'role:members' | 'role:moderators') =>
        store.write((tx) =>
          setRealmGroupSetting(tx, 'can_create_public_channel_group', systemGroupId(tx, group)),
        )
      await give('role:moderators')
      const reply = await create(actor, kinds[kind])
      await give('role:members')
      if (may) assert.equal(reply.result, 'success', reply.msg)
      else assert.deepEqual(reply, denied)
    })
  }

  test('nobody without credentials', async () => {
    const params = { name: nextName(), subscribers: [] }
    assert.equal((await server.anonymous.post('/channels/create', params)).status, 401)
  })
})

test('the reply is the id of a channel that has every setting and these subscribers', async () => {
  const groups = { can_send_message_group: 4, can_subscribe_group: 5 }
  const name = nextName()
  const reply = await create('owner', {
    ...groups,
    name: ` ${name} `,
    description: 'What *for*',
    subscribers: [ids.member, ids.cordelia, ids.member],
    invite_only: true,
    history_public_to_subscribers: true,
    message_retention_days: 30,
    folder_id: 1,
    topics_policy: 'disable_empty_topic',
  })
  assert.deepEqual(reply, { ...success, id: reply.id })
  const asked = {
    ...groups,
    name,
    description: 'What *for*',
    rendered_description: '<p>What <em>for</em></p>',
    creator_id: ids.owner,
    invite_only: true,
    history_public_to_subscribers: true,
    message_retention_days: 30,
    folder_id: 1,
    topics_policy: 'disable_empty_topic',
    subscriber_count: 2,
    can_administer_channel_group: { direct_members: [ids.owner], direct_subgroups: [] },
  }
  assert.deepEqual({ ...(await look(reply.id)), ...asked }, await look(reply.id))
  assert.deepEqual(await subscribers(reply.id), [ids.cordelia, ids.member])
})

test('where history is protected, everyone who creates topics may be said in either form', async () => {
  for (const everyone of [7, { direct_members: [], direct_subgroups: [7] }]) {
    const { id } = await create('admin', { invite_only: true, can_create_topic_group: everyone })
    assert.equal((await look(id)).can_create_topic_group, 7)
  }
})

test('a channel may start without subscribers, its creator among them', async () => {
  const { id } = await create('member')
  assert.deepEqual(await subscribers(id), [])
})

test('those who see the channel hear of it, then its subscribers, then the others of these', async () => {
  const types = ['stream', 'subscription']
  const [member, outsider, guest] = [
    await server.as('member').watch(...types),
    await server.as('outsider').watch(...types),
    await server.as('guest').watch(...types),
  ]
  const { id } = await create('owner', { subscribers: [ids.member] })
  const ops = (events: readonly { [member: string]: unknown }[]) =>
    events.map(({ type, op }) => `${type}/${op}`)
  assert.deepEqual(ops(await member.drain()), ['stream/create', 'subscription/add'])
  const [created, peer, ...rest] = await outsider.drain()
  assert.deepEqual(rest, [])
  assert.equal(created?.op, 'create')
  assert.deepEqual(peer, {
    type: 'subscription',
    op: 'peer_add',
    stream_ids: [id],
    user_ids: [ids.member],
  })
  assert.deepEqual(await guest.drain(), [])
})

test('Notification Bot announces it where that is wanted, but no private one', async () => {
  await store.write((tx) =>
    setRealmSetting(tx, 'new_stream_announcements_stream_id', channels.announce),
  )
  const queue = await server.as('member').watch('message')
  await create('owner', { name: 'unheard of' })
  await create('owner', { name: 'heard of', announce: true })
  await create('owner', { name: 'hidden', announce: true, invite_only: true })
  const events = (await queue.drain()) as unknown as { message: Record<string, unknown> }[]
  assert.deepEqual(
    events.map(({ message }) => [message.sender_full_name, message.subject, message.content]),
    [
      [
        'Notification Bot',
        'new channels',
        '@_**Desdemona|9** created a new channel: #**heard of**.',
      ],
    ],
  )
})

test('a name that another channel has is refused, archived or in other letters, and joins nobody', async () => {
  const { id } = await create('owner', { name: 'Only Once' })
  const taken = (name: string) =>
    failure(`Channel '${name}' already exists`, 'CHANNEL_ALREADY_EXISTS')
  const again = () => create('member', { name: 'only once', subscribers: [ids.member] })
  const reply = await again()
  assert.deepEqual(reply, taken('only once'))
  assert.equal(reply.status, 409)
  assert.deepEqual(await subscribers(id), [])
  assert.deepEqual(await server.as('owner').del(`/streams/${id}`), success)
  assert.deepEqual(await again(), taken('only once'))
})

describe('what is refused creates nothing and tells nobody', async () => {
  const deactivated = await store.write((tx) => {
    const user = createUser(tx, { email: 'gone@example.com', fullName: 'Gone', role: 400 })
    return updateUser(tx, user.id, { isActive: false }).id
  })
  const missing = (name: string) =>
    failure(`Missing '${name}' argument`, 'REQUEST_VARIABLE_MISSING', { var_name: name })
  // biome-ignore format: a matrix reads best in columns
  const rows: [CallParams, object | RegExp][] = [
    [{ name: undefined }, missing('name')],
    [{ subscribers: undefined }, missing('subscribers')],
    [{ name: '' }, failure("Channel name can't be empty.")],
    [{ name: 'x'.repeat(61) }, failure('Channel name is too long (limit: 60 characters)')],
    [{ name: 'x'.repeat(1_000_000) }, /too long/],
    [{ name: 'a\u0000b' }, /./],
    [{ description: 'x'.repeat(1025) }, failure('description is too long (limit: 1024 characters)')],
    [{ subscribers: '__proto__' }, /subscribers/],
    [{ subscribers: 7 }, failure('subscribers is not a list')],
    [{ subscribers: ['hamlet@zulip.com'] }, /subscribers\[0\]/],
    [{ subscribers: [1.5] }, /subscribers\[0\]/],
    [{ subscribers: [-1] }, failure('No such user')],
    [{ subscribers: [999] }, failure('No such user')],
    [{ subscribers: [1e300] }, /subscribers\[0\]/],
    [{ subscribers: [deactivated] }, failure('User is deactivated')],
    [{ subscribers: [10, 1] }, failure('No such user')],
    [{ announce: 'loud' }, /announce/],
    [{ folder_id: 99 }, failure('Invalid channel folder ID')],
    [{ is_default_stream: true }, adminsOnly],
    [{ is_web_public: true }, denied],
    [{ can_send_message_group: { new: 4 } }, /can_send_message_group/],
    [{ can_send_message_group: 999 }, failure('Invalid user group')],
  ]
  for (const [params, expected] of rows) {
    test(JSON.stringify(params).slice(0, 100), async () => {
      const tables = ['channels', 'subscriptions', 'user_groups', 'recipients', 'messages']
      const digest = () =>
        tables.map((table) => store.db.$client.prepare(`SELECT * FROM ${table}`).all())
      const before = digest()
      const queue = await server.as('owner').watch('stream', 'subscription', 'message')
      const reply: Reply = await create('member', params)
      if (expected instanceof RegExp) {
        assert.equal(reply.result, 'error')
        assert.match(reply.msg, expected)
      } else assert.deepEqual(reply, expected)
      assert.deepEqual(digest(), before)
      assert.deepEqual(await queue.drain(), [])
    })
  }
})

describe('default channels', () => {
  const add = (actor: Actor, stream_id: unknown) =>
    server.as(actor).post('/default_streams', { stream_id })
  const remove = (actor: Actor, stream_id: unknown) =>
    server.as(actor).del('/default_streams', { stream_id })
  const defaults = async () => {
    const { state } = await server.as('owner').watch('default_streams')
    return state.realm_default_streams as number[]
  }

  for (const [actor, may] of administrators) {
    test(`${actor} ${may ? 'can' : 'cannot'} add and remove one`, async () => {
      const { id } = await create('member')
      const before = await defaults()
      const expected = may ? success : adminsOnly
      assert.deepEqual(await add(actor, id), expected)
      assert.deepEqual(await defaults(), may ? [...before, id] : before)
      assert.deepEqual(await remove(actor, id), expected)
      assert.deepEqual(await remove(actor, 1), expected)
      assert.deepEqual(await defaults(), may ? before.filter((known) => known !== 1) : before)
      await add('owner', 1)
    })
  }

  test('everyone but guests hears of all of them, once for each change', async () => {
    const { id } = await create('member')
    const before = await defaults()
    const queue = await server.as('member').watch('default_streams')
    const guest = await server.as('guest').watch('default_streams')
    for (const call of [add, add, remove, remove])
      assert.deepEqual(await call('admin', id), success)
    assert.deepEqual(await queue.drain(), [
      { type: 'default_streams', default_streams: [...before, id] },
      { type: 'default_streams', default_streams: before },
    ])
    assert.deepEqual(await guest.drain(), [])
  })

  test('none is private, archived, unknown or anything but an id', async () => {
    const before = await defaults()
    const isPrivate = failure('A default channel cannot be private.')
    assert.deepEqual(await add('admin', channels.private), isPrivate)
    const { id } = await create('member')
    await server.as('owner').del(`/streams/${id}`)
    assert.deepEqual(
      await add('admin', id),
      failure('An archived channel cannot be a default channel.'),
    )
    for (const bad of [999, -1, 0]) {
      assert.deepEqual(await add('admin', bad), unknown)
      assert.deepEqual(await remove('admin', bad), unknown)
    }
    for (const bad of ['__proto__', 1.5, 1e300, [1], {}, null, undefined, '\u0000']) {
      for (const call of [add, remove]) {
        const reply = await call('admin', bad)
        assert.equal(reply.result, 'error')
        assert.match(reply.msg, /stream_id|NUL/)
      }
    }
    assert.deepEqual(await defaults(), before)
  })
})
