import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { findMessage, insertMessage, type Message } from '#features/messages/queries.ts'
import { realmSetting, setRealmSetting } from '#features/realm/settings.queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { channels, ids } = server
const edited = { ...success, detached_uploads: [] }
const edit = (actor: Actor, id: number, params: CallParams) =>
  server.as(actor).patch(`/messages/${id}`, params)
const now = () => Math.floor(server.clock.now() / 1000)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

interface Fetched {
  message: {
    content: string
    subject: string
    stream_id: number
    edit_history?: object[]
  } & Record<string, unknown>
}
const fetched = async (actor: Actor, id: number) =>
  (await server.as(actor).get<Fetched>(`/messages/${id}`, { apply_markdown: false })).message

async function withSetting<N extends Parameters<typeof setRealmSetting>[1]>(
  name: N,
  value: Parameters<typeof setRealmSetting<N>>[2],
  act: () => Promise<void>,
): Promise<void> {
  const { store } = server.server.context
  const before = realmSetting(store, name)
  await store.write((tx) => setRealmSetting(tx, name, value))
  try {
    await act()
  } finally {
    await store.write((tx) => setRealmSetting(tx, name, before))
  }
}

describe('editing the text', () => {
  test('changes it for everybody, and keeps what it was', async () => {
    const id = await server.say('member', 'public', 'plans', 'one')
    const queue = await server.as('othello').watch('update_message')
    assert.deepEqual(
      await edit('member', id, { content: '@**Othello, the Moor of Venice**' }),
      edited,
    )
    const [event] = await queue.drain()
    assert.deepEqual(event, {
      type: 'update_message',
      user_id: ids.member,
      rendering_only: false,
      message_id: id,
      message_ids: [id],
      flags: ['mentioned'],
      edit_timestamp: now(),
      stream_id: channels.public,
      stream_name: 'Denmark',
      orig_content: 'one',
      orig_rendered_content: '<p>one</p>',
      content: '@**Othello, the Moor of Venice**',
      rendered_content:
        '<p><span class="user-mention" data-user-id="12">@Othello, the Moor of Venice</span></p>',
      is_me_message: false,
    })
    const message = await fetched('othello', id)
    assert.equal(message.last_edit_timestamp, now())
    assert.deepEqual(message.edit_history, [
      {
        user_id: ids.member,
        timestamp: now(),
        prev_content: 'one',
        prev_rendered_content: '<p>one</p>',
      },
    ])
    assert.deepEqual(message.flags, ['mentioned'])
  })

  test('takes a mention back that is gone from it', async () => {
    const id = await server.say('member', 'public', 'plans', '@**Othello, the Moor of Venice**')
    await edit('member', id, { content: 'never mind' })
    assert.deepEqual((await fetched('othello', id)).flags, [])
  })

  test('is refused when somebody else edited it meanwhile', async () => {
    const id = await server.say('member', 'public', 'plans', 'one')
    const stale = await edit('member', id, { content: 'two', prev_content_sha256: sha256('zero') })
    assert.equal(stale.code, 'EXPECTATION_MISMATCH')
    assert.equal((await fetched('member', id)).content, 'one')
    const params = { content: 'two', prev_content_sha256: sha256('one') }
    assert.deepEqual(await edit('member', id, params), edited)
  })

  const refused = failure("You don't have permission to edit this message")
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, object][] = [
    ['member',   edited],
    ['owner',    refused],
    ['admin',    refused],
    ['outsider', refused],
    ['guest',    failure('Invalid message(s)')],
  ]
  for (const [actor, expected] of matrix) {
    test(`${actor} ${expected === edited ? 'can' : 'cannot'} edit the text of a member's message`, async () => {
      const id = await server.say('member', 'public')
      assert.deepEqual(await edit(actor, id, { content: 'changed' }), expected)
    })
  }

  test('ends with the time limit, or with the setting', async () => {
    const id = await server.say('member', 'public', 'plans', 'one')
    await withSetting('allow_message_editing', false, async () => {
      const off = failure('Your organization has turned off message editing')
      assert.deepEqual(await edit('member', id, { content: 'two' }), off)
    })
    server.clock.advance(621_000)
    const late = failure('The time limit for editing this message has passed')
    assert.deepEqual(await edit('member', id, { content: 'two' }), late)
    await withSetting('message_content_edit_limit_seconds', null, async () => {
      assert.deepEqual(await edit('member', id, { content: 'two' }), edited)
    })
  })

  // biome-ignore format: a table reads best in columns
  const malformed: [string, CallParams, object][] = [
    ['nothing',                {},                                   failure('Nothing to change')],
    ['an empty text',          { content: ' ' },                     failure('Message must not be empty')],
    ['text and channel',       { content: 'x', stream_id: 3 },       failure('Cannot change message content while changing channel')],
    ['a mode without a move',  { content: 'x', propagate_mode: 'change_all' }, failure('Invalid propagate_mode without topic edit')],
    ['an unknown mode',        { topic: 'x', propagate_mode: 'all' }, failure('Invalid propagate_mode')],
    ['the topic it has',       { topic: 'plans' },                   failure('Nothing to change')],
    ['a topic too long',       { topic: 'x'.repeat(61) },            failure('topic is too long (limit: 60 characters)')],
    ['an unknown channel',     { stream_id: 999 },                   failure('Invalid channel ID')],
  ]
  for (const [what, params, expected] of malformed) {
    test(`${what} is refused, and changes nothing`, async () => {
      const id = await server.say('member', 'public', 'plans', 'one')
      const queue = await server.as('member').watch('update_message')
      assert.deepEqual(await edit('member', id, params), expected)
      assert.deepEqual(await queue.drain(), [])
      assert.equal((await fetched('member', id)).content, 'one')
    })
  }
})

describe('editing text and topic in one request', () => {
  const both = { content: 'two', topic: 'both now', send_notification_to_new_thread: false }

  test('is one event and one entry in the history', async () => {
    const id = await server.say('member', 'public', 'both', 'one')
    const queue = await server.as('othello').watch('update_message')
    assert.deepEqual(await edit('member', id, both), edited)
    const events = await queue.drain()
    assert.equal(events.length, 1)
    const [event] = events
    assert.deepEqual(
      [event?.orig_content, event?.content, event?.orig_subject, event?.subject],
      ['one', 'two', 'both', 'both now'],
    )
    const entry = {
      user_id: ids.member,
      timestamp: now(),
      prev_content: 'one',
      prev_rendered_content: '<p>one</p>',
      prev_topic: 'both',
      topic: 'both now',
    }
    const message = await fetched('othello', id)
    assert.deepEqual(message.edit_history, [entry])
    assert.equal(message.last_edit_timestamp, now())
    assert.equal(message.last_moved_timestamp, now())
    const { message_history } = await server
      .as('othello')
      .get<{ message_history: object[] }>(`/messages/${id}/history`)
    const { topic, ...before } = entry
    assert.deepEqual(message_history, [
      {
        topic: 'both',
        content: 'one',
        rendered_content: '<p>one</p>',
        timestamp: now(),
        user_id: ids.member,
      },
      {
        ...before,
        topic,
        content: 'two',
        rendered_content: '<p>two</p>',
        content_html_diff:
          '<span class="highlight_text_deleted">one</span><span class="highlight_text_inserted">two</span>',
      },
    ])
  })

  test('shows the topic alone where the organization shows moves only', async () => {
    const id = await server.say('member', 'public', 'both', 'one')
    await edit('member', id, both)
    await withSetting('message_edit_history_visibility_policy', 'moves', async () => {
      const moved = { user_id: ids.member, timestamp: now(), prev_topic: 'both' }
      assert.deepEqual((await fetched('othello', id)).edit_history, [
        { ...moved, topic: 'both now' },
      ])
      const { message_history } = await server
        .as('othello')
        .get<{ message_history: object[] }>(`/messages/${id}/history`)
      const text = { content: 'two', rendered_content: '<p>two</p>' }
      assert.deepEqual(message_history, [
        { ...text, topic: 'both', timestamp: moved.timestamp, user_id: ids.member },
        { ...text, ...moved, topic: 'both now' },
      ])
    })
  })

  test('records the move alone for messages that move along, or if the text is the same', async () => {
    const first = await server.say('member', 'public', 'both along', 'one')
    const second = await server.say('member', 'public', 'both along', 'one')
    await edit('member', first, { ...both, propagate_mode: 'change_all' })
    const moved = { user_id: ids.member, timestamp: now(), topic: 'both now' }
    assert.deepEqual((await fetched('othello', second)).edit_history, [
      { ...moved, prev_topic: 'both along' },
    ])
    await edit('member', second, { ...both, content: 'one', topic: 'both again' })
    assert.deepEqual((await fetched('othello', second)).edit_history?.[0], {
      ...moved,
      prev_topic: 'both now',
      topic: 'both again',
    })
  })

  test('tells the text to nobody who may read only the messages that move along', async () => {
    const first = await server.say('member', 'private', 'both', 'secret')
    const late = await server.enroll('Late')
    const subscriptions = [{ name: 'core team' }]
    await server
      .as('member')
      .post('/users/me/subscriptions', { subscriptions, principals: [late.id] })
    const second = await server.say('member', 'private', 'both', 'open')
    const [member, latter] = await Promise.all([
      server.as('member').watch('update_message'),
      late.watch('update_message'),
    ])
    await edit('member', first, { ...both, propagate_mode: 'change_all' })
    const texts = ['content', 'orig_content', 'rendered_content', 'orig_rendered_content']
    const [whole] = await member.drain()
    const [part] = await latter.drain()
    assert.deepEqual([whole?.message_ids, part?.message_ids], [[first, second], [second]])
    for (const text of texts)
      assert.deepEqual([text in (whole ?? {}), text in (part ?? {})], [true, false])
    assert.equal(JSON.stringify(part).includes('secret'), false)
  })
})

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
    const params = { topic: '✔ question', propagate_mode: 'change_all' }
    assert.deepEqual(await edit('member', first, params), edited)
    assert.equal('last_moved_timestamp' in (await fetched('member', first)), false)
    const [notice] = (await queue.drain()) as unknown as [{ message: { content: string } }]
    assert.equal(notice.message.content, '@_**King Hamlet|10** has marked this topic as resolved.')
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

describe('the history of a message', () => {
  test('goes from its first form to the present one', async () => {
    const id = await server.say('member', 'public', 'history', 'to be')
    server.clock.advance(1000)
    await edit('member', id, { content: 'not to be' })
    server.clock.advance(1000)
    await edit('owner', id, { topic: 'past', send_notification_to_new_thread: false })
    const reply = await server.as('othello').get(`/messages/${id}/history`)
    const times = [now() - 2, now() - 1, now()]
    assert.deepEqual(reply.message_history, [
      {
        topic: 'history',
        content: 'to be',
        rendered_content: '<p>to be</p>',
        timestamp: times[0],
        user_id: ids.member,
      },
      {
        topic: 'history',
        content: 'not to be',
        rendered_content: '<p>not to be</p>',
        timestamp: times[1],
        user_id: ids.member,
        prev_content: 'to be',
        prev_rendered_content: '<p>to be</p>',
        content_html_diff: '<span class="highlight_text_inserted">not </span>to be',
      },
      {
        topic: 'past',
        prev_topic: 'history',
        content: 'not to be',
        rendered_content: '<p>not to be</p>',
        timestamp: times[2],
        user_id: ids.owner,
      },
    ])
  })

  test('shows no more than the organization lets it', async () => {
    const id = await server.say('member', 'public', 'history', 'secret')
    await edit('member', id, { content: '<b>open</b>' })
    await withSetting('message_edit_history_visibility_policy', 'moves', async () => {
      const reply = await server
        .as('othello')
        .get<{ message_history: object[] }>(`/messages/${id}/history`)
      assert.equal(reply.message_history.length, 1)
      assert.equal('edit_history' in (await fetched('othello', id)), false)
    })
    await withSetting('message_edit_history_visibility_policy', 'none', async () => {
      assert.deepEqual(
        await server.as('othello').get(`/messages/${id}/history`),
        failure('Message edit history is disabled in this organization'),
      )
    })
  })

  test('is not there for whom the message is not', async () => {
    const id = await server.say('member', 'private')
    const hidden = failure('Invalid message(s)')
    assert.deepEqual(await server.as('outsider').get(`/messages/${id}/history`), hidden)
    assert.deepEqual(await server.as('outsider').get('/messages/999999/history'), hidden)
  })
})

describe('deleting', () => {
  const remove = (actor: Actor, id: number) => server.as(actor).del(`/messages/${id}`)

  test('takes a message from everybody, with all that hangs on it', async () => {
    const id = await server.say('member', 'public', 'mistake')
    await server.as('othello').post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
    await edit('member', id, { content: 'A mistake.' })
    const [bulk, single] = await Promise.all([
      server.as('othello').watchWith({
        event_types: ['delete_message'],
        client_capabilities: { bulk_message_deletion: true },
      }),
      server.as('othello').watch('delete_message'),
    ])
    assert.deepEqual(await remove('member', id), success)
    const place = { message_type: 'stream', stream_id: channels.public, topic: 'mistake' }
    assert.deepEqual(await bulk.drain(), [{ type: 'delete_message', message_ids: [id], ...place }])
    assert.deepEqual(await single.drain(), [{ type: 'delete_message', message_id: id, ...place }])
    assert.deepEqual(await remove('member', id), failure('Invalid message(s)'))
    const { db } = server.server.context.store
    for (const table of ['reactions', 'message_edits']) {
      const left = db.$client.prepare(`SELECT count(*) FROM ${table} WHERE message_id = ?`).pluck()
      assert.equal(left.get(id), 0)
    }
  })

  const refused = failure("You don't have permission to delete this message")
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, object][] = [
    ['owner',     success],
    ['admin',     success],
    ['moderator', refused],
    ['member',    success],
    ['outsider',  refused],
    ['guest',     failure('Invalid message(s)')],
  ]
  for (const [actor, expected] of matrix) {
    test(`${actor} ${expected === success ? 'can' : 'cannot'} delete a member's message`, async () => {
      const id = await server.say('member', 'public')
      assert.deepEqual(await remove(actor, id), expected)
    })
  }

  test("one of one's own ends with the time limit", async () => {
    const id = await server.say('member', 'public')
    server.clock.advance(601_000)
    const late = failure('The time limit for deleting this message has passed')
    assert.deepEqual(await remove('member', id), late)
    assert.deepEqual(await remove('admin', id), success)
  })

  test('a whole topic is for administrators, and updates the first message of the channel', async () => {
    const stream_id = 12
    const say = async (topic: string) => {
      const reply = await server
        .as('owner')
        .post<{ id: number }>('/messages', { type: 'channel', to: stream_id, topic, content: 'x' })
      return reply.id
    }
    await say('first')
    await say('First')
    const second = await say('second')
    const queue = await server.as('member').watch('stream')
    const params = { topic_name: 'FIRST' }
    for (const actor of ['member', 'moderator', 'guest'] as const) {
      assert.deepEqual(
        await server.as(actor).post(`/streams/${stream_id}/delete_topic`, params),
        failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL'),
      )
    }
    const reply = await server.as('admin').post(`/streams/${stream_id}/delete_topic`, params)
    assert.deepEqual(reply, { ...success, complete: true })
    assert.deepEqual(await queue.drain(), [
      {
        type: 'stream',
        op: 'update',
        stream_id,
        name: 'errors',
        property: 'first_message_id',
        value: second,
      },
    ])
    const topics = await server
      .as('member')
      .get<{ topics: { name: string }[] }>(`/users/me/${stream_id}/topics`)
    assert.deepEqual(
      topics.topics.map(({ name }) => name),
      ['second'],
    )
  })
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

test('who may read a part of a protected topic hears of that part when the topic is deleted', async () => {
  const owner = server.as('owner')
  const { id: channelId } = await owner.post<{ id: number }>('/channels/create', {
    name: 'partly gone',
    subscribers: [server.ids.owner],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const say = async () => {
    const to = { type: 'channel', to: channelId, topic: 'x', content: 'x' }
    return (await owner.post<{ id: number }>('/messages', to)).id
  }
  const old = await say()
  const subscriptions = [{ name: 'partly gone' }]
  const principals = [server.ids.member]
  await owner.post('/users/me/subscriptions', { subscriptions, principals })
  const known = await say()
  const capable = {
    event_types: ['delete_message'],
    client_capabilities: { bulk_message_deletion: true },
  }
  const [all, part, single] = await Promise.all([
    owner.watchWith(capable),
    server.as('member').watchWith(capable),
    server.as('member').watch('delete_message'),
  ])
  const asked = { topic_name: 'x' }
  await owner.post(`/streams/${channelId}/delete_topic`, asked)
  const event = { type: 'delete_message', message_type: 'stream', stream_id: channelId, topic: 'x' }
  assert.deepEqual(await all.drain(), [{ ...event, message_ids: [old, known] }])
  assert.deepEqual(await part.drain(), [{ ...event, message_ids: [known] }])
  assert.deepEqual(await single.drain(), [{ ...event, message_id: known }])
})
