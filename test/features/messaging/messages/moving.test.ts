import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { findMessage, insertMessage, type Message } from '#features/foundation/core/queries.ts'
import { failure } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { edited, editsOn } from './edits.ts'

const server = await startServer()
after(server.close)

const { channels, ids } = server
const { edit, fetched, now } = editsOn(server)

describe('moving messages', () => {
  const start = async (topic: string) => {
    const sent = []
    for (let i = 0; i < 3; i++) sent.push(await server.say('member', 'public', topic))
    return sent as [number, number, number]
  }
  const topicOf = async (id: number) => (await fetched('owner', id)).subject

  // biome-ignore format: a table reads best in columns
  const modes: [string, boolean[]][] = [
    ['change_one',   [false, true, false]],
    ['change_later', [false, true, true]],
    ['change_all',   [true, true, true]],
  ]
  for (const [propagate_mode, moved] of modes) {
    test(`${propagate_mode} moves what it says`, async () => {
      const sent = await start(`from ${propagate_mode}`)
      const queue = await server.as('othello').watch('update_message')
      const params = { topic: 'to here', propagate_mode, send_notification_to_new_thread: false }
      assert.deepEqual(await edit('member', sent[1], params), edited)
      const topics = await Promise.all(sent.map(topicOf))
      assert.deepEqual(
        topics.map((topic) => topic === 'to here'),
        moved,
      )
      assert.deepEqual(await queue.drain(), [
        {
          type: 'update_message',
          user_id: ids.member,
          rendering_only: false,
          message_id: sent[1],
          message_ids: sent.filter((_, i) => moved[i]),
          flags: [],
          edit_timestamp: now(),
          stream_id: channels.public,
          stream_name: 'Denmark',
          propagate_mode,
          orig_subject: `from ${propagate_mode}`,
          subject: 'to here',
          topic_links: [],
        },
      ])
      const message = await fetched('othello', sent[1])
      assert.equal(message.last_moved_timestamp, now())
      assert.equal('last_edit_timestamp' in message, false)
    })
  }

  test('to another channel takes read state along, and takes them from who may not read there', async () => {
    const id = await server.say('owner', 'public', 'secret', 'one')
    const [member, othello] = await Promise.all([
      server.as('member').watch('update_message', 'delete_message'),
      server.as('othello').watch('update_message', 'delete_message'),
    ])
    await server.as('admin').post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    const params = { stream_id: channels.private, send_notification_to_new_thread: false }
    assert.deepEqual(await edit('owner', id, params), edited)
    const [moved] = await member.drain()
    assert.equal(moved?.new_stream_id, channels.private)
    assert.deepEqual(await othello.drain(), [
      {
        type: 'delete_message',
        message_id: id,
        message_type: 'stream',
        stream_id: channels.public,
        topic: 'secret',
      },
    ])
    assert.deepEqual((await fetched('member', id)).flags, [])
    assert.deepEqual((await fetched('admin', id)).flags, ['read'])
    const gone = await server.as('othello').get(`/messages/${id}`)
    assert.deepEqual(gone, failure('Invalid message(s)'))
  })

  test('is told in both topics as far as the mover wants it', async () => {
    const [first] = await start('old place')
    const queue = await server.as('othello').watchWith({ event_types: ['message'] })
    await edit('owner', first, {
      topic: 'new place',
      propagate_mode: 'change_all',
      send_notification_to_old_thread: true,
    })
    const told = (await queue.drain()) as unknown as {
      message: { subject: string; content: string }
    }[]
    assert.deepEqual(
      told.map(({ message }) => [message.subject, message.content]),
      [
        [
          'new place',
          'This topic was moved here from #**Denmark>old place** by @_**Desdemona|9**.',
        ],
        ['old place', 'This topic was moved to #**Denmark>new place** by @_**Desdemona|9**.'],
      ],
    )
  })

  test('of a single message is told with a link to it, in both topics', async () => {
    const [, second] = await start('many here')
    const queue = await server.as('othello').watchWith({ event_types: ['message'] })
    await edit('owner', second, { topic: 'one (there)', send_notification_to_old_thread: true })
    const told = (await queue.drain()) as unknown as { message: { content: string } }[]
    const there = `${server.url}/#narrow/channel/${channels.public}-Denmark/topic/one.20.28there.29`
    const message = `[A message](${there}/near/${second})`
    assert.deepEqual(
      told.map(({ message }) => message.content),
      [
        `${message} was moved here from #**Denmark>many here** by @_**Desdemona|9**.`,
        `${message} was moved to #**Denmark>one (there)** by @_**Desdemona|9**.`,
      ],
    )
  })

  test('a very long topic moves in parts, and as a whole', async () => {
    const first = await server.say('owner', 'public', 'very long')
    const copies = await server.server.context.store.write((tx) => {
      const { id: _, ...message } = findMessage(tx, first) as Message
      return Array.from({ length: 2099 }, () => insertMessage(tx, message).id)
    })
    const sent = [first, ...copies]
    const named = sent[1500] as number
    await server.as('othello').post('/user_topics', {
      stream_id: channels.public,
      topic: 'very long',
      visibility_policy: 3,
    })
    const queue = await server.as('othello').watchWith({
      event_types: ['update_message', 'message', 'user_topic'],
    })
    const params = { topic: 'moved at length', propagate_mode: 'change_all' }
    assert.deepEqual(await edit('owner', named, params), edited)
    const events = (await queue.drain()) as unknown as {
      type: string
      message_id: number
      message_ids: number[]
      message: { content: string }
    }[]
    const moves = events.filter(({ type }) => type === 'update_message')
    assert.ok(moves.length > 1)
    assert.equal(moves[0]?.message_id, named)
    for (const { message_id, message_ids } of moves) assert.ok(message_ids.includes(message_id))
    const moved = moves.flatMap(({ message_ids }) => message_ids)
    assert.deepEqual(
      moved.sort((a, b) => a - b),
      sent,
    )
    // What concerns the topic as a whole comes once, at the end.
    assert.deepEqual(
      events.slice(moves.length).map(({ type, message }) => message?.content ?? type),
      [
        'user_topic',
        'user_topic',
        'This topic was moved here from #**Denmark>very long** by @_**Desdemona|9**.',
      ],
    )
    assert.equal(await topicOf(sent[0] as number), 'moved at length')
    assert.equal(await topicOf(sent.at(-1) as number), 'moved at length')
  })

  test('a topic is resolved as a whole, by whom the settings let', async () => {
    const [first] = await start('question')
    const queue = await server.as('othello').watch('message')
    const own = await server.as('member').watch('message')
    const params = { topic: '✔ question', propagate_mode: 'change_all' }
    assert.deepEqual(await edit('member', first, params), edited)
    assert.equal('last_moved_timestamp' in (await fetched('member', first)), false)
    const [notice] = (await queue.drain()) as unknown as [{ message: { content: string } }]
    assert.equal(notice.message.content, '@_**King Hamlet|10** has marked this topic as resolved.')
    const flagsOf = async (queue: { drain(): Promise<unknown> }) =>
      ((await queue.drain()) as [{ flags: string[] }])[0].flags
    assert.deepEqual(await flagsOf(own), ['read'], 'those who resolve it know')
    const empty = await server.say('member', 'public', '')
    const refused = failure('The empty topic cannot be marked as resolved.')
    assert.deepEqual(await edit('member', empty, { topic: '✔ ' }), refused)
  })

  test('those who follow the topic follow it where it went', async () => {
    const [first] = await start('followed')
    const { channels: all } = server
    await server
      .as('othello')
      .post('/user_topics', { stream_id: all.public, topic: 'followed', visibility_policy: 3 })
    const queue = await server.as('othello').watch('user_topic')
    await edit('owner', first, { topic: 'still followed', propagate_mode: 'change_all' })
    const policies = (await queue.drain()).map((event) => [
      event.topic_name,
      event.visibility_policy,
    ])
    assert.deepEqual(policies, [
      ['followed', 0],
      ['still followed', 3],
    ])
  })

  test('what was sent too long ago stays, except for moderators', async () => {
    const [first] = await start('long ago')
    server.clock.advance(8 * 24 * 3600 * 1000)
    const fresh = await server.say('member', 'public', 'long ago')
    const params = { topic: 'elsewhere', propagate_mode: 'change_all' }
    const late = failure("The time limit for editing this message's topic has passed")
    assert.deepEqual(await edit('outsider', first, params), late)
    const some = failure(
      'You only have permission to move the 1/4 most recent messages in this topic.',
      'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      {
        first_message_id_allowed_to_move: fresh,
        total_messages_in_topic: 4,
        total_messages_allowed_to_move: 1,
      },
    )
    assert.deepEqual(await edit('outsider', fresh, params), some)
    assert.deepEqual(await edit('moderator', fresh, params), edited)
  })

  test('direct messages stay where they are', async () => {
    const id = await server.say('member', ['cordelia'])
    const refused = failure('Direct messages cannot be moved to channels or topics.')
    assert.deepEqual(await edit('member', id, { topic: 'x' }), refused)
    assert.deepEqual(await edit('member', id, { stream_id: channels.public }), refused)
  })

  const cannot = failure("You don't have permission to move this message")
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, object][] = [
    ['owner',  edited],
    ['member', edited],
    ['guest',  cannot],
  ]
  for (const [actor, expected] of matrix) {
    test(`${actor} ${expected === edited ? 'can' : 'cannot'} move a message to another channel`, async () => {
      const id = await server.say('owner', 'shared')
      const params = { stream_id: 13 }
      assert.deepEqual(await edit(actor, id, params), expected)
    })
  }
})

test('who may read a part of a protected topic hears of the move of that part', async () => {
  const { id: channelId } = await server.as('owner').post<{ id: number }>('/channels/create', {
    name: 'partly known',
    subscribers: [server.ids.owner],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const say = async () => {
    const to = { type: 'channel', to: channelId, topic: 'before' }
    const sent = await server.as('owner').post<{ id: number }>('/messages', { ...to, content: 'x' })
    return sent.id
  }
  const old = await say()
  const subscriptions = [{ name: 'partly known' }]
  await server
    .as('owner')
    .post('/users/me/subscriptions', { subscriptions, principals: [server.ids.member] })
  const [second, third] = [await say(), await say()]
  const queue = await server.as('member').watch('update_message')
  await server.as('owner').patch(`/messages/${old}`, {
    topic: 'after',
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
  })
  const events = await queue.drain()
  assert.deepEqual(
    events.map(({ message_id, message_ids, subject }) => ({ message_id, message_ids, subject })),
    [{ message_id: second, message_ids: [second, third], subject: 'after' }],
  )
})
