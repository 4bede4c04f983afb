import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, type Event, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { channels, ids } = server
const update = (actor: Actor, params: CallParams) =>
  server.as(actor).post('/messages/flags', params)
const changed = (messages: number[], ignored: number[] = []) => ({
  ...success,
  messages,
  ignored_because_not_subscribed_channels: ignored,
})
const event = (op: 'add' | 'remove', flag: string, messages: number[], all = false) => ({
  type: 'update_message_flags',
  op,
  operation: op,
  flag,
  messages,
  all,
})

async function flagsOf(actor: Actor, id: number): Promise<string[]> {
  const reply = await server.as(actor).get<{ message: { flags: string[] } }>(`/messages/${id}`)
  return reply.message.flags
}

async function unreadIds(actor: Actor): Promise<number[]> {
  const { state } = await server.as(actor).watchWith({
    fetch_event_types: ['message', 'update_message_flags'],
  })
  const { pms, streams, huddles, count } = state.unread_msgs as Record<
    'pms' | 'streams' | 'huddles',
    { unread_message_ids: number[] }[]
  > & { count: number }
  const all = [...pms, ...streams, ...huddles].flatMap((place) => place.unread_message_ids)
  assert.equal(all.length, count)
  return all.sort((a, b) => a - b)
}

describe('the read flag', () => {
  test('is added once, and only what changed is told', async () => {
    const first = await server.say('owner', 'public')
    const second = await server.say('owner', 'public')
    const queue = await server.as('member').watch('update_message_flags')
    const add = { messages: [first, second], op: 'add', flag: 'read' }
    assert.deepEqual(await update('member', add), changed([first, second]))
    assert.deepEqual(await update('member', add), changed([]))
    assert.deepEqual(await queue.drain(), [event('add', 'read', [first, second])])
    assert.deepEqual(await flagsOf('member', first), ['read'])
    assert.deepEqual(await flagsOf('admin', first), [])
  })

  test('is removed with what a client needs to count the message again', async () => {
    const inChannel = await server.say('owner', 'public', '', '@**King Hamlet**')
    const direct = await server.say('owner', ['member', 'cordelia'])
    const both = [inChannel, direct]
    await update('member', { messages: both, op: 'add', flag: 'read' })
    const queue = await server.as('member').watch('update_message_flags')
    const remove = { messages: both, op: 'remove', flag: 'read' }
    assert.deepEqual(await update('member', remove), changed(both))
    const details = {
      [inChannel]: {
        type: 'stream',
        stream_id: channels.public,
        topic: 'general chat',
        mentioned: true,
      },
      [direct]: { type: 'private', user_ids: [ids.cordelia, ids.owner] },
    }
    assert.deepEqual(await queue.drain(), [
      { ...event('remove', 'read', both), message_details: details },
    ])
    assert.deepEqual((await unreadIds('member')).slice(-2), both)
  })

  test('skips messages that are gone or that the user cannot read', async () => {
    const kept = [await server.say('owner', 'public'), await server.say('owner', 'public')]
    const gone = await server.say('owner', 'public')
    await server.as('owner').del(`/messages/${gone}`)
    const foreign = await server.say('owner', ['cordelia'])
    const messages = [kept[0] as number, gone, foreign, 999_999, kept[1] as number]
    const queue = await server.as('member').watch('update_message_flags')
    for (const op of ['add', 'remove']) {
      assert.deepEqual(await update('member', { messages, op, flag: 'read' }), changed(kept))
      const [event] = await queue.drain()
      assert.deepEqual(event?.messages, kept)
      const none = { messages: [gone, foreign], op, flag: 'read' }
      assert.deepEqual(await update('member', none), changed([]))
    }
    const star = { messages, op: 'add', flag: 'starred' }
    assert.deepEqual(await update('member', star), failure('Invalid message(s)'))
  })

  test('stays where the user is not subscribed, and the channel is named', async () => {
    const id = await server.say('owner', 'public')
    assert.deepEqual(await flagsOf('outsider', id), ['read', 'historical'])
    const remove = { messages: [id], op: 'remove', flag: 'read' }
    assert.deepEqual(await update('outsider', remove), changed([], [channels.public]))
    assert.deepEqual(await flagsOf('outsider', id), ['read', 'historical'])
  })
})

for (const flag of ['starred', 'collapsed', 'hide_link_previews']) {
  test(`the ${flag} flag is added and removed for its user alone`, async () => {
    const id = await server.say('owner', 'public')
    const queue = await server.as('member').watch('update_message_flags')
    assert.deepEqual(await update('member', { messages: [id], op: 'add', flag }), changed([id]))
    assert.deepEqual(await update('member', { messages: [id], op: 'add', flag }), changed([]))
    assert.deepEqual(await flagsOf('member', id), [flag])
    assert.deepEqual(await flagsOf('admin', id), [])
    assert.deepEqual(await update('member', { messages: [id], op: 'remove', flag }), changed([id]))
    assert.deepEqual(await flagsOf('member', id), [])
    assert.deepEqual(await queue.drain(), [event('add', flag, [id]), event('remove', flag, [id])])
  })
}

test('a hidden preview is told to all clients, but not in edits to those that know no such flag', async () => {
  const id = await server.say('owner', 'public')
  await update('member', { messages: [id], op: 'add', flag: 'hide_link_previews' })
  const plain = await server.as('member').watch('update_message')
  const extended = await server.as('member').watchWith({
    event_types: ['update_message'],
    client_capabilities: { extended_members: true },
  })
  await server.as('owner').patch(`/messages/${id}`, { content: 'Edited' })
  const flagsIn = (events: readonly Event[]) => events.map(({ flags }) => flags)
  assert.deepEqual(flagsIn(await plain.drain()), [[]])
  assert.deepEqual(flagsIn(await extended.drain()), [['hide_link_previews']])
})

test('starred messages are listed by register', async () => {
  const id = await server.say('owner', 'public')
  await update('prospero', { messages: [id], op: 'add', flag: 'starred' })
  const { state } = await server.as('prospero').watch('starred_messages')
  assert.deepEqual(state.starred_messages, [id])
})

describe('what is refused', () => {
  const hidden = failure('Invalid message(s)')
  // biome-ignore format: a table reads best in columns
  const table: [string, CallParams, object][] = [
    ['an unknown message',   { messages: [999_999] },  hidden],
    ['a hidden message',     { messages: 'hidden' },   hidden],
    ['a negative id',        { messages: [-1] },       hidden],
    ['an unknown flag',      { flag: 'nonsense' },     failure("Flag not editable: 'nonsense'")],
    ['a flag of the server', { flag: 'mentioned' },    failure("Flag not editable: 'mentioned'")],
    ['a prototype name',     { flag: '__proto__' },    failure("Flag not editable: '__proto__'")],
    ['an unknown op',        { op: 'set' },            failure('Invalid op')],
  ]
  for (const [what, params, expected] of table) {
    test(`${what} is refused, and changes nothing`, async () => {
      const id = await server.say('owner', 'public')
      const hiddenId = await server.say('owner', 'private')
      const messages = params.messages === 'hidden' ? [id, hiddenId] : [id]
      const queue = await server.as('outsider').watch('update_message_flags')
      const asked = { messages, op: 'add', flag: 'starred', ...params }
      if (params.messages === 'hidden') asked.messages = messages
      assert.deepEqual(await update('outsider', asked), expected)
      assert.deepEqual(await queue.drain(), [])
    })
  }
})

describe('many at once', () => {
  test('a narrow is marked as read in windows', async () => {
    const topic = 'windows'
    const sent = []
    for (let i = 0; i < 5; i++) sent.push(await server.say('owner', 'public', topic))
    const queue = await server.as('member').watch('update_message_flags')
    const narrow = [
      { operator: 'channel', operand: channels.public },
      { operator: 'topic', operand: topic },
    ]
    const params = { narrow, op: 'add', flag: 'read', num_before: 0, num_after: 3 }
    const first = await server.as('member').post('/messages/flags/narrow', {
      ...params,
      anchor: 'oldest',
    })
    assert.deepEqual(first, {
      ...success,
      processed_count: 3,
      updated_count: 3,
      first_processed_id: sent[0],
      last_processed_id: sent[2],
      found_oldest: true,
      found_newest: false,
      ignored_because_not_subscribed_channels: [],
    })
    const rest = await server.as('member').post('/messages/flags/narrow', {
      ...params,
      anchor: sent[2],
      include_anchor: false,
    })
    assert.equal(rest.updated_count, 2)
    assert.equal(rest.found_newest, true)
    assert.deepEqual(await queue.drain(), [
      event('add', 'read', sent.slice(0, 3)),
      event('add', 'read', sent.slice(3)),
    ])
  })

  test('a topic, a channel and everything can be marked as read', async () => {
    await server.as('member').post('/mark_all_as_read')
    const one = await server.say('owner', 'public', 'one')
    const two = await server.say('owner', 'public', 'two')
    const three = await server.say('owner', 'private')
    const four = await server.say('owner', ['member'])
    const queue = await server.as('member').watch('update_message_flags')
    const member = server.as('member')
    const inTopic = { stream_id: channels.public, topic_name: 'ONE' }
    assert.deepEqual(await member.post('/mark_topic_as_read', inTopic), success)
    assert.deepEqual(await unreadIds('member'), [two, three, four])
    const inChannel = { stream_id: channels.public }
    assert.deepEqual(await member.post('/mark_stream_as_read', inChannel), success)
    assert.deepEqual(await unreadIds('member'), [three, four])
    assert.deepEqual(await member.post('/mark_all_as_read'), { ...success, complete: true })
    assert.deepEqual(await unreadIds('member'), [])
    assert.deepEqual(await queue.drain(), [
      event('add', 'read', [one]),
      event('add', 'read', [two]),
      event('add', 'read', [], true),
    ])
  })

  test('a topic without a message that one can read cannot be marked as read', async () => {
    const mark = (actor: Actor, stream_id: number, topic_name: string) =>
      server.as(actor).post('/mark_topic_as_read', { stream_id, topic_name })
    const unknown = (topic: string) => failure(`No such topic '${topic}'`)
    assert.deepEqual(await mark('member', channels.public, 'nowhere'), unknown('nowhere'))
    await server.say('owner', 'private', 'before your time')
    const { stream } = await server
      .as('owner')
      .get<{ stream: { name: string } }>(`/streams/${channels.private}`)
    const joining = { subscriptions: [{ name: stream.name }], principals: [ids.outsider] }
    await server.as('owner').post('/users/me/subscriptions', joining)
    assert.deepEqual(
      await mark('outsider', channels.private, 'before your time'),
      unknown('before your time'),
    )
    await server.say('owner', 'private', 'in your time')
    assert.deepEqual(await mark('outsider', channels.private, 'In your time'), success)
    await server.as('outsider').del('/users/me/subscriptions', { subscriptions: [stream.name] })
  })

  test('a hidden channel is answered like one that never was', async () => {
    const hidden = failure('Invalid channel ID')
    for (const stream_id of [channels.private, 999]) {
      const outsider = server.as('outsider')
      assert.deepEqual(await outsider.post('/mark_stream_as_read', { stream_id }), hidden)
      const topic = { stream_id, topic_name: 'plans' }
      assert.deepEqual(await outsider.post('/mark_topic_as_read', topic), hidden)
    }
  })
})

test('register lists the unread messages by conversation', async () => {
  await server.as('cordelia').post('/mark_all_as_read')
  const alone = await server.say('owner', ['cordelia'])
  const group = await server.say('owner', ['cordelia', 'member'])
  const shared = await server.say('owner', 'shared', 'unread things', '@**all**')
  const { state } = await server.as('cordelia').watchWith({
    fetch_event_types: ['message', 'update_message_flags', 'recent_private_conversations'],
  })
  assert.deepEqual(state.unread_msgs, {
    count: 3,
    pms: [{ other_user_id: ids.owner, sender_id: ids.owner, unread_message_ids: [alone] }],
    streams: [{ stream_id: channels.shared, topic: 'unread things', unread_message_ids: [shared] }],
    huddles: [{ user_ids_string: '8,9,10', unread_message_ids: [group] }],
    mentions: [shared],
    old_unreads_missing: false,
  })
  assert.deepEqual((state.recent_private_conversations as object[]).slice(0, 2), [
    { max_message_id: group, user_ids: [ids.owner, ids.member] },
    { max_message_id: alone, user_ids: [ids.owner] },
  ])
  assert.equal(state.max_message_id, shared)
})

test('an edit tells all who may read the message their own flags', async () => {
  const id = await server.say('admin', 'public', 'flags', 'Hello, @**all**!')
  await update('admin', { messages: [id], op: 'add', flag: 'read' })
  await update('member', { messages: [id], op: 'add', flag: 'starred' })
  const actors = ['admin', 'member', 'outsider'] as const
  const queues = await Promise.all(actors.map((actor) => server.as(actor).watch('update_message')))
  const content = 'Hello, @**all** and @**topic**!'
  assert.deepEqual(await server.as('admin').patch(`/messages/${id}`, { content }), {
    ...success,
    detached_uploads: [],
  })
  const told = await Promise.all(queues.map((queue) => queue.drain()))
  assert.deepEqual(
    told.map((events) => events.map(({ flags }) => flags)),
    await Promise.all(actors.map(async (actor) => [await flagsOf(actor, id)])),
  )
  const [sender = [], reader = [], stranger = []] = told.map(([event]) => event?.flags as string[])
  assert.ok(sender.includes('read') && sender.includes('stream_wildcard_mentioned'))
  assert.ok(reader.includes('starred') && !reader.includes('read'))
  assert.deepEqual(stranger, ['read', 'historical'])
})
