import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { unreadIds } from '#features/foundation/read-state/queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, type CallParams, startServer, type TestServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { channels, ids } = server
const owner = server.as('owner')

interface Told {
  sender_full_name: string
  subject: string
  content: string
}

/** The messages of a channel since one, as the owner reads them. */
async function since(id: number, channel: number): Promise<string[]> {
  const { messages } = await owner.get<{ messages: Told[] }>('/messages', {
    anchor: id,
    include_anchor: false,
    num_before: 0,
    num_after: 100,
    apply_markdown: false,
    narrow: [{ operator: 'channel', operand: channel }],
  })
  return messages.map(
    ({ sender_full_name, subject, content }) => `${sender_full_name}: ${subject}: ${content}`,
  )
}

let count = 0
async function join(at: TestServer): Promise<number> {
  const email = `new${++count}@example.com`
  const account = { email, full_name: `New ${count}`, password: 'correct horse' }
  const reply = await at.as('owner').post<{ user_id: number }>('/users', account)
  assert.equal(reply.result, 'success', reply.msg)
  return reply.user_id
}

const messagesTo = (at: TestServer, userId: number) =>
  at.server.context.store.db.$client
    .prepare(
      `SELECT u.full_name || ': ' || m.content FROM messages m JOIN users u ON u.id = m.sender_id
       WHERE recipient_id IN (SELECT recipient_id FROM direct_members WHERE user_id = ?)`,
    )
    .pluck()
    .all(userId)

describe('who joins', () => {
  test('is greeted by Welcome Bot in a direct message', async () => {
    const [welcome, ...more] = messagesTo(server, await join(server))
    assert.match(String(welcome), /^Welcome Bot: Hello, and welcome to \*\*Zulip Dev\*\*!/)
    assert.deepEqual(more, [])
  })

  test('is not where the server does without', async () => {
    const quiet = await startServer({ config: { welcomeMessages: false } })
    try {
      assert.deepEqual(messagesTo(quiet, await join(quiet)), [])
    } finally {
      await quiet.close()
    }
  })

  test('is announced where the organization wants it, and not at all without a channel for it', async () => {
    for (const [channel, told] of [
      [channels.public, 1],
      [-1, 0],
    ] as const) {
      const set = { signup_announcements_stream_id: channel }
      assert.deepEqual(await owner.patch('/realm', set), success)
      const before = await server.say('owner', 'public')
      const id = await join(server)
      const said = `Notification Bot: signups: @_**New ${count}|${id}** joined this organization.`
      assert.deepEqual(await since(before, channels.public), told === 1 ? [said] : [])
    }
  })

  test('has the newest of what people said in default channels to read, and nothing that bots said', async () => {
    const here = await startServer()
    try {
      const first = here.as('owner')
      const make = async (name: string, more: CallParams = {}) =>
        (
          await first.post<{ id: number }>('/channels/create', {
            name,
            subscribers: [ids.owner],
            ...more,
          })
        ).id
      const open = await make('lobby', { is_default_stream: true })
      const other = await make('elsewhere')
      const say = async (to: number, content: string) =>
        (
          await first.post<{ id: number }>('/messages', {
            type: 'channel',
            to,
            topic: 'hi',
            content,
          })
        ).id
      await first.patch('/realm', { signup_announcements_stream_id: open })
      await join(here)
      await say(other, 'not here')
      const said: number[] = []
      for (let i = 0; i < 23; i++) said.push(await say(open, `Line ${i}`))
      await join(here)
      const id = await join(here)
      const unread = unreadIds(here.server.context.store, id)
      const { messages } = await first.get<{ messages: { id: number; sender_is_bot: boolean }[] }>(
        '/messages',
        { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['channel', 'lobby']] },
      )
      const inLobby = new Set(messages.map((each) => each.id))
      assert.deepEqual(
        unread.filter((each) => inLobby.has(each)),
        said.slice(-20),
      )
      assert.ok(unread.length >= 20)
    } finally {
      await here.close()
    }
  })

  test('is not announced in an archived channel, and joins nevertheless', async () => {
    const { id } = await owner.post<{ id: number }>('/channels/create', {
      name: 'doorway',
      subscribers: [ids.owner],
    })
    await owner.patch('/realm', { signup_announcements_stream_id: id })
    await owner.del(`/streams/${id}`)
    const before = await since(0, id)
    await join(server)
    assert.deepEqual(await since(0, id), before)
    await owner.patch('/realm', { signup_announcements_stream_id: -1 })
  })
})

describe('what happens to a channel is said in it, unless the organization does without', () => {
  const author = '@_**Desdemona|9**'
  const made: Record<string, number> = {}
  // biome-ignore format: a table reads best in columns
  const table: [string, (id: number, folder: number) => Promise<unknown>, RegExp][] = [
    ['a new name',        (id) => owner.patch(`/streams/${id}`, { new_name: `renamed ${id}` }),  / renamed this channel from /],
    ['a new description', (id) => owner.patch(`/streams/${id}`, { description: 'For all.' }),    / changed the description of this channel\./],
    ['another privacy',   (id) => owner.patch(`/streams/${id}`, { is_private: true }),           / changed who can read this channel: /],
    ['a folder',          (id, folder) => owner.patch(`/streams/${id}`, { folder_id: folder }),  / added this channel to the folder ` Work `\.$/],
    ['no folder anymore', (id) => owner.patch(`/streams/${id}`, { folder_id: null }),           / removed this channel from the folder ` Work `\.$/],
    ['the archive',       (id) => owner.del(`/streams/${id}`),                                   / archived this channel\.$/],
    ['its return',        (id) => owner.patch(`/streams/${id}`, { is_archived: false }),         / brought this channel back from the archive\.$/],
  ]
  for (const isOn of [true, false]) {
    for (const [what, act, said] of table) {
      test(`${what}, ${isOn ? 'on' : 'off'}`, async () => {
        const set = { send_channel_events_messages: isOn }
        assert.deepEqual(await owner.patch('/realm', set), success)
        made.folder ??= (
          await owner.post<{ channel_folder_id: number }>('/channel_folders/create', {
            name: 'Work',
            description: '',
          })
        ).channel_folder_id
        made[String(isOn)] ??= (
          await owner.post<{ id: number }>('/channels/create', {
            name: `told ${isOn}`,
            subscribers: [ids.owner],
          })
        ).id
        const id = made[String(isOn)] ?? 0
        const before = await since(0, id)
        const reply = (await act(id, made.folder)) as { result: string; msg: string }
        assert.equal(reply.result, 'success', reply.msg)
        const told = (await since(0, id)).slice(before.length)
        assert.equal(told.length, isOn ? 1 : 0)
        for (const text of told) {
          assert.ok(text.startsWith(`Notification Bot: channel events: ${author}`), text)
          assert.match(text, said)
        }
      })
    }
  }
})

describe('a new channel is announced', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, CallParams, number, string[]][] = [
    ['where the organization wants it', { announce: true },                       channels.public, ['created a new channel']],
    ['not unless its creator wants it', { announce: false },                      channels.public, []],
    ['not without such a channel',      { announce: true },                       -1,              []],
    ['not when it is private',          { announce: true, invite_only: true },    channels.public, []],
  ]
  for (const [what, params, place, told] of table) {
    test(what, async () => {
      await owner.patch('/realm', { new_stream_announcements_stream_id: place })
      const before = await server.say('owner', 'public')
      const name = `announced ${++count}`
      const reply = await owner.post('/channels/create', { name, subscribers: [], ...params })
      assert.equal(reply.result, 'success', reply.msg)
      const said = await since(before, channels.public)
      assert.equal(said.length, told.length)
      for (const text of said)
        assert.match(text, /created a new channel: #\*\*announced \d+\*\*\.$/)
    })
  }

  test('in a channel that has the empty topic alone, in that', async () => {
    const { id } = await owner.post<{ id: number }>('/channels/create', {
      name: 'one topic',
      subscribers: [ids.owner],
      topics_policy: 'empty_topic_only',
    })
    await owner.patch('/realm', { new_stream_announcements_stream_id: id })
    await owner.post('/channels/create', { name: 'another', subscribers: [], announce: true })
    assert.match(
      (await since(0, id))[0] ?? '',
      /^Notification Bot: general chat: @_\*\*Desdemona\|9\*\* created/,
    )
  })
})

describe('a moved topic is announced as its mover wants', () => {
  for (const [old, now] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    test(`old topic ${old}, new topic ${now}`, async () => {
      const from = `from ${++count}`
      const id = await server.say('owner', 'public', from)
      await owner.patch(`/messages/${id}`, {
        topic: `to ${count}`,
        send_notification_to_old_thread: old,
        send_notification_to_new_thread: now,
      })
      const said = await since(id, channels.public)
      const topics = said.map((text) => text.split(': ')[1])
      assert.deepEqual(topics, [...(now ? [`to ${count}`] : []), ...(old ? [from] : [])])
    })
  }
})

describe('a resolved topic is announced unless its resolver does not want that', () => {
  for (const [wanted, told] of [
    [undefined, true],
    [true, true],
    [false, false],
  ] as const) {
    test(`new topic ${wanted ?? 'not mentioned'}`, async () => {
      const topic = `question ${++count}`
      const id = await server.say('owner', 'public', topic)
      const reply = await owner.patch(`/messages/${id}`, {
        topic: `✔ ${topic}`,
        send_notification_to_new_thread: wanted,
      })
      assert.equal(reply.result, 'success')
      assert.equal((await since(id, channels.public)).length, told ? 1 : 0)
    })
  }
})

test('the organization’s own text has 8000 characters at most, however wide', async () => {
  const set = (text: string) => owner.patch('/realm', { welcome_message_custom_text: text })
  assert.deepEqual(await set('😎'.repeat(8000)), success)
  for (const long of ['x'.repeat(8001), '😎'.repeat(8001)]) {
    assert.equal((await set(long)).code, 'BAD_REQUEST')
  }
  assert.deepEqual(await set(''), success)
})

describe('POST /realm/test_welcome_bot_custom_message', () => {
  const path = '/realm/test_welcome_bot_custom_message'
  const welcome_message_custom_text = 'The kettle is *upstairs*.'

  test('has Welcome Bot write the text to the administrator who asks', async () => {
    for (const actor of ['owner', 'admin'] as const) {
      const queue = await server.as(actor).watch('message')
      const reply = await server.as(actor).post<{ message_id: number }>(path, {
        welcome_message_custom_text,
      })
      assert.deepEqual(reply, { ...success, message_id: reply.message_id })
      const [event, ...more] = (await queue.drain()) as unknown as {
        message: { id: number; content: string; sender_full_name: string }
      }[]
      assert.deepEqual(more, [])
      const { id, content, sender_full_name } = event?.message ?? {}
      assert.deepEqual(
        [id, content, sender_full_name],
        [reply.message_id, welcome_message_custom_text, 'Welcome Bot'],
      )
    }
  })

  test('is for administrators alone', async () => {
    const refused = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')
    for (const actor of ['moderator', 'member', 'guest', 'bot'] as Actor[]) {
      assert.deepEqual(await server.as(actor).post(path, { welcome_message_custom_text }), refused)
    }
  })

  test('refuses nothing, blanks and more than 8000 characters', async () => {
    for (const [text, code] of [
      [undefined, 'REQUEST_VARIABLE_MISSING'],
      [' \n', 'BAD_REQUEST'],
      ['x'.repeat(8001), 'BAD_REQUEST'],
      ['a\u0000', 'BAD_REQUEST'],
    ]) {
      const reply = await owner.post(path, { welcome_message_custom_text: text })
      assert.deepEqual([reply.result, reply.code], ['error', code])
    }
    const most = { welcome_message_custom_text: '😎'.repeat(8000) }
    assert.equal((await owner.post(path, most)).result, 'success')
  })
})
