import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { type CallParams, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { public: denmark, shared: verona } = server.channels

interface Message {
  readonly id: number
  readonly subject: string
  readonly content: string
  readonly flags: string[]
  readonly [member: string]: unknown
}

interface Sent {
  readonly id: number
  readonly automatic_new_visibility_policy?: number
  readonly code?: string
}

interface Page {
  readonly code?: string
  readonly messages: Message[]
  readonly anchor?: number
  readonly found_anchor: boolean
  readonly found_newest: boolean
  readonly found_oldest: boolean
}

const limits = () => server.as('member').post('/register', { event_types: ['realm'] })
const send = (params: CallParams) =>
  server.as('member').post<Sent>('/messages', {
    type: 'channel',
    to: denmark,
    topic: 'plans',
    content: 'Hello.',
    ...params,
  })
const fetch = (params: CallParams) => server.as('member').get<Page>('/messages', params)
const around = (id: number, params: CallParams = {}) =>
  fetch({ anchor: id, num_before: 0, num_after: 0, ...params })
const idsOf = ({ messages }: Page) => messages.map(({ id }) => id)
const first = async (id: number) => {
  const [message] = (await fetch({ message_ids: [id], allow_empty_topic_name: true })).messages
  assert.ok(message)
  return message
}
const setRealm = async (params: CallParams) =>
  assert.equal((await server.as('owner').patch('/realm', params)).msg, '')
const setOwn = async (params: CallParams) =>
  assert.equal((await server.as('member').patch('/settings', params)).msg, '')

describe('Send a message', () => {
  const types: [type: string, to: unknown, stored: string][] = [
    ['channel', 'Denmark', 'stream'],
    ['stream', denmark, 'stream'],
    ['direct', [11], 'private'],
    ['private', ['user11@zulipdev.com'], 'private'],
  ]
  for (const [type, to, stored] of types) {
    test(`\`type\` may be \`${type}\`, \`to\` ${JSON.stringify(to)}`, async () => {
      const { id, result, msg } = await send({ type, to })
      assert.equal(result, 'success', msg)
      assert.equal((await first(id)).type, stored)
    })
  }

  test('`type` may not be anything else', async () => {
    assert.equal((await send({ type: 'huddle' })).code, 'BAD_REQUEST')
  })

  for (const name of ['type', 'to', 'content'] as const) {
    test(`\`${name}\` is required`, async () => {
      const reply = await send({ [name]: undefined })
      assert.equal(reply.result, 'error')
    })
  }

  test('`content` has at most `max_message_length` characters', async () => {
    const most = Number((await limits()).max_message_length)
    const kept = await send({ content: 'a'.repeat(most) })
    assert.equal((await first(kept.id)).content, `<p>${'a'.repeat(most)}</p>`)
    const cut = await send({ content: 'a'.repeat(most + 1) })
    assert.equal(cut.result, 'error')
  })

  test('`topic` is ignored for direct messages', async () => {
    const { id } = await send({ type: 'direct', to: [11], topic: 'plans' })
    assert.equal((await first(id)).subject, '')
  })

  test('`topic` has at most `max_topic_length` characters', async () => {
    const most = Number((await limits()).max_topic_length)
    const kept = await send({ topic: 'a'.repeat(most) })
    assert.equal((await first(kept.id)).subject, 'a'.repeat(most))
    const long = await send({ topic: 'a'.repeat(most + 1) })
    assert.deepEqual([long.result, long.code], ['error', 'BAD_REQUEST'])
  })

  const emptyTopics = ['', '(no topic)', 'general chat']
  for (const topic of emptyTopics) {
    test(`topic ${JSON.stringify(topic)} is the empty topic, refused when topics are required`, async () => {
      const { id } = await send({ topic })
      assert.equal((await first(id)).subject, '')
      await setRealm({ topics_policy: 'disable_empty_topic' })
      const refused = await send({ topic })
      await setRealm({ topics_policy: 'allow_empty_topic' })
      assert.deepEqual([refused.result, refused.code], ['error', 'BAD_REQUEST'])
    })
  }

  test('the deprecated alias `subject` is accepted', async () => {
    const { id } = await send({ topic: undefined, subject: 'by another name' })
    assert.equal((await first(id)).subject, 'by another name')
  })

  test('the `message` event sent to the queue `queue_id` includes `local_id`, no other does', async () => {
    const [mine, other] = [
      await server.as('member').watch('message'),
      await server.as('member').watch('message'),
    ]
    await send({ queue_id: mine.queueId, local_id: '17.01' })
    const [echo] = await mine.drain()
    const [copy] = await other.drain()
    assert.equal(echo?.local_message_id, '17.01')
    assert.ok(copy && !('local_message_id' in copy))
  })

  test('`local_id` is required if `queue_id` is given', async () => {
    const { queueId } = await server.as('member').watch('message')
    const reply = await send({ queue_id: queueId })
    assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
  })

  for (const read of [true, false]) {
    test(`\`read_by_sender\` ${read} says whether it starts as read for its sender`, async () => {
      const { id } = await send({ read_by_sender: read })
      assert.equal((await first(id)).flags.includes('read'), read)
    })
  }

  const clients: [client: string, read: boolean][] = [
    ['ZulipFlutter/30.0 (iOS 18)', true],
    ['ZulipTerminal/0.7.0', true],
    ['curl/8.5.0', false],
    ['ZulipPython/0.9.1', false],
  ]
  for (const [client, read] of clients) {
    test(`without \`read_by_sender\` it is decided by the client name: ${client} starts as ${read ? 'read' : 'unread'}`, async () => {
      const { email, apiKey } = server.as('member')
      const sent = await globalThis.fetch(`${server.url}/api/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${email}:${apiKey}`)}`, 'user-agent': client },
        body: new URLSearchParams({ type: 'channel', to: 'Denmark', topic: 'x', content: 'x' }),
      })
      const { id } = (await sent.json()) as Sent
      assert.equal((await first(id)).flags.includes('read'), read)
    })
  }

  test('`automatic_new_visibility_policy` is present only if sending changed the policy', async () => {
    await setOwn({ automatically_follow_topics_policy: 3 })
    const { automatic_new_visibility_policy: followed } = await send({ topic: 'followed' })
    const { automatic_new_visibility_policy: again } = await send({ topic: 'followed' })
    await setOwn({ automatically_follow_topics_policy: 4 })
    const { automatic_new_visibility_policy: never } = await send({ topic: 'unfollowed' })
    assert.deepEqual([followed, again, never], [3, undefined, undefined])
  })

  test('`STREAM_DOES_NOT_EXIST`: the response also has `stream`, the requested name', async () => {
    assert.deepEqual(
      await send({ to: 'Nowhere' }),
      failure("Channel 'Nowhere' does not exist", 'STREAM_DOES_NOT_EXIST', { stream: 'Nowhere' }),
    )
  })

  test('`BAD_REQUEST` for an invalid user email', async () => {
    const reply = await send({ type: 'direct', to: ['nobody@example.com'] })
    assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
  })

  const wildcards: [mention: string, code: string][] = [
    ['@**all**', 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'],
    ['@**topic**', 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'],
  ]
  for (const [mention, code] of wildcards) {
    test(`\`${code}\`: ${mention} by a user not in \`can_mention_many_users_group\`, where there are many`, async () => {
      await addCrowd()
      const asked = { to: 'crowd', topic: 'all here', content: mention }
      assert.equal((await send(asked)).code, code)
      assert.equal(
        (await server.as('owner').post('/messages', { type: 'channel', ...asked })).msg,
        '',
      )
    })
  }
})

let crowd: Promise<void> | undefined

/** A channel with sixteen subscribers who all took part in one topic, and nobody may mention. */
function addCrowd(): Promise<void> {
  crowd ??= (async () => {
    await setRealm({ can_mention_many_users_group: { new: 2 } })
    const principals = [6, 7, 8, 9, 10, 11, 12, 14, 15]
    for (let i = 0; i < 8; i++) {
      const email = `crowd${i}@zulip.com`
      const made = await server
        .as('owner')
        .post('/users', { email, full_name: `Crowd ${i}`, password: 'correct horse battery' })
      assert.equal(made.result, 'success', made.msg)
      principals.push(Number(made.user_id))
    }
    const subscriptions = [{ name: 'crowd' }]
    const reply = await server
      .as('owner')
      .post('/users/me/subscriptions', { subscriptions, principals })
    assert.equal(reply.result, 'success', reply.msg)
    const { id } = await server
      .as('owner')
      .post('/messages', { type: 'channel', to: 'crowd', topic: 'all here', content: 'Hello.' })
    const { store } = server.server.context
    await store.write((tx) => {
      for (const userId of principals) {
        tx.db.$client
          .prepare(
            `INSERT OR IGNORE INTO reactions (message_id, user_id, emoji_name, emoji_code, reaction_type)
             VALUES (?, ?, 'octopus', '1f419', 'unicode_emoji')`,
          )
          .run(id, userId)
      }
    })
  })()
  return crowd
}

describe('Get messages', () => {
  test('messages come sorted by message ID', async () => {
    for (let i = 0; i < 3; i++) await send({ topic: `sorted ${i}` })
    const ids = idsOf(await fetch({ anchor: 'newest', num_before: 50, num_after: 0 }))
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => a - b),
    )
  })

  test('`num_before` and `num_after` count messages below and above the anchor, besides the anchor', async () => {
    const ids: number[] = []
    for (let i = 0; i < 5; i++) ids.push((await send({ topic: 'counted' })).id)
    const narrow = [['topic', 'counted']]
    const page = await around(Number(ids[2]), { num_before: 1, num_after: 1, narrow })
    assert.deepEqual([idsOf(page), page.found_anchor], [ids.slice(1, 4), true])
    assert.deepEqual([page.found_oldest, page.found_newest], [false, false])
    const without = await around(Number(ids[2]), {
      num_before: 1,
      num_after: 1,
      include_anchor: false,
      narrow,
    })
    assert.deepEqual([idsOf(without), without.found_anchor], [[ids[1], ids[3]], false])
    const all = await around(Number(ids[2]), { num_before: 9, num_after: 9, narrow })
    assert.deepEqual([idsOf(all), all.found_oldest, all.found_newest], [ids, true, true])
  })

  test('`anchor` may be `newest` or `oldest`', async () => {
    const { id } = await send({})
    const newest = await fetch({ anchor: 'newest', num_before: 1, num_after: 0 })
    assert.equal(newest.messages.at(-1)?.id, id)
    const oldest = await fetch({ anchor: 'oldest', num_before: 0, num_after: 1 })
    assert.equal(oldest.found_oldest, true)
    assert.ok(Number(oldest.messages[0]?.id) < id)
  })

  test('`first_unread` is the oldest unread message matching the narrow, else the most recent', async () => {
    const narrow = [['topic', 'unread']]
    const read = await send({ topic: 'unread', read_by_sender: true })
    const asked = { anchor: 'first_unread', num_before: 0, num_after: 0, narrow }
    assert.deepEqual(idsOf(await fetch({ ...asked, num_before: 1 })), [read.id])
    const unread = await server.say('admin', 'public', 'unread')
    await server.say('admin', 'public', 'unread')
    assert.deepEqual(idsOf(await fetch(asked)), [unread])
    const deprecated = { ...asked, anchor: undefined, use_first_unread_anchor: true }
    assert.deepEqual(idsOf(await fetch(deprecated)), [unread])
  })

  test('`apply_markdown`, `client_gravatar` and `include_anchor` are true by default, `allow_empty_topic_name` is false and the narrow is empty', async () => {
    const { id } = await send({ topic: '', content: '*Hello*' })
    const usual = await around(id)
    const spelledOut = await around(id, {
      apply_markdown: true,
      client_gravatar: true,
      include_anchor: true,
      allow_empty_topic_name: false,
      narrow: [],
    })
    assert.deepEqual(usual, spelledOut)
    assert.deepEqual(
      usual.messages.map(({ subject, content }) => [subject, content]),
      [['general chat', '<p><em>Hello</em></p>']],
    )
  })

  test('`num_before` and `num_after` are required unless `message_ids` is given', async () => {
    for (const params of [{ num_before: 1 }, { num_after: 1 }]) {
      assert.equal((await fetch({ anchor: 'newest', ...params })).result, 'error')
    }
    assert.equal((await fetch({ message_ids: [] })).result, 'success')
  })

  test("narrows without a channel operator search the caller's own history", async () => {
    const unseen = await server.as('owner').post('/messages', {
      type: 'channel',
      to: 'Venice',
      topic: 'own history',
      content: 'Hello.',
    })
    const own = await send({ topic: 'own history' })
    const narrow = [{ operator: 'topic', operand: 'own history' }]
    const asked = { anchor: 'newest', num_before: 9, num_after: 0 }
    assert.deepEqual(idsOf(await fetch({ ...asked, narrow })), [own.id])
    const everywhere = [{ operator: 'channels', operand: 'public' }, ...narrow]
    assert.deepEqual(idsOf(await fetch({ ...asked, narrow: everywhere })), [unseen.id, own.id])
  })

  test('the narrow is an array of objects or of two-element arrays', async () => {
    const { id } = await send({ topic: 'both forms' })
    for (const narrow of [
      [['topic', 'both forms']],
      [{ operator: 'topic', operand: 'both forms' }],
    ]) {
      const page = await fetch({ anchor: 'newest', num_before: 9, num_after: 0, narrow })
      assert.deepEqual(idsOf(page), [id])
    }
  })

  test('`message_ids` returns the existing, accessible subset, filtered by the narrow, without `anchor`', async () => {
    const one = await send({ topic: 'subset' })
    const two = await send({ topic: 'another' })
    const hidden = await server.say('admin', ['owner'])
    const ids = [one.id, two.id, hidden, 99_999_999]
    const page = await fetch({ message_ids: ids })
    assert.deepEqual(idsOf(page), [one.id, two.id])
    assert.ok(!('anchor' in page))
    assert.deepEqual(idsOf(await fetch({ message_ids: ids, narrow: [['topic', 'subset']] })), [
      one.id,
    ])
  })

  const exclusive: [name: string, value: unknown][] = [
    ['anchor', 'newest'],
    ['include_anchor', false],
    ['use_first_unread_anchor', true],
    ['num_before', 1],
    ['num_after', 1],
  ]
  for (const [name, value] of exclusive) {
    test(`it is an error to combine \`message_ids\` with \`${name}\``, async () => {
      const reply = await fetch({ message_ids: [1], [name]: value })
      assert.deepEqual([reply.result, reply.code], ['error', 'BAD_REQUEST'])
    })
  }

  test('at most 5000 messages per request, more is an error', async () => {
    const asked = { anchor: 'newest', num_after: 0 }
    assert.equal((await fetch({ ...asked, num_before: 5000 })).result, 'success')
    assert.equal((await fetch({ ...asked, num_before: 5001 })).result, 'error')
  })

  test('`found_anchor` is false if the anchor does not exist or does not match', async () => {
    const { id } = await send({ topic: 'matching' })
    const page = await around(id, { num_before: 1, narrow: [['topic', 'no such topic']] })
    assert.equal(page.found_anchor, false)
    assert.equal((await around(99_999_999, { num_before: 1 })).found_anchor, false)
  })

  test('`history_limited` is set, and nothing is limited', async () => {
    const page = await fetch({ anchor: 'oldest', num_before: 0, num_after: 1 })
    assert.ok('history_limited' in page)
    assert.equal(page.history_limited, false)
  })
})

describe('Check if messages match a narrow', () => {
  test('`messages` has only those that match, with `match_content` and `match_subject`, matches in elements of class `highlight`', async () => {
    const yes = await send({ topic: 'a <b>', content: 'about *quokkas*' })
    const no = await send({ content: 'about wombats' })
    const { messages } = await server.as('member').get('/messages/matches_narrow', {
      msg_ids: [yes.id, no.id],
      narrow: [{ operator: 'search', operand: 'quokkas' }],
    })
    assert.deepEqual(messages, {
      [yes.id]: {
        match_content: '<p>about <em><span class="highlight">quokkas</span></em></p>',
        match_subject: 'a &lt;b&gt;',
      },
    })
  })

  for (const name of ['msg_ids', 'narrow'] as const) {
    test(`\`${name}\` is required`, async () => {
      const asked = { msg_ids: [1], narrow: [], [name]: undefined }
      assert.equal(
        (await server.as('member').get('/messages/matches_narrow', asked)).result,
        'error',
      )
    })
  }
})

describe("Get a message's edit history", () => {
  const history = (id: number, params: CallParams = {}) =>
    server
      .as('member')
      .get<{ message_history: Record<string, unknown>[] }>(`/messages/${id}/history`, params)

  test('snapshots come oldest to newest, one only if the message was never edited', async () => {
    const { id } = await send({ content: 'one' })
    assert.equal((await history(id)).message_history.length, 1)
    await server.as('member').patch(`/messages/${id}`, { content: 'two' })
    const { message_history } = await history(id)
    assert.deepEqual(
      message_history.map(({ content }) => content),
      ['one', 'two'],
    )
  })

  test('the empty topic is its display name in `topic` and `prev_topic` unless `allow_empty_topic_name`', async () => {
    const { id } = await send({ topic: '' })
    await server.as('member').patch(`/messages/${id}`, { topic: 'named' })
    const names = async (params: CallParams) => {
      const [before, later] = (await history(id, params)).message_history
      return [before?.topic, later?.prev_topic]
    }
    assert.deepEqual(await names({}), ['general chat', 'general chat'])
    assert.deepEqual(await names({ allow_empty_topic_name: true }), ['', ''])
  })

  test('`BAD_REQUEST` when the message does not exist', async () => {
    assert.deepEqual(await history(99_999_999), failure('Invalid message(s)'))
  })

  test('history can be disabled per organization', async () => {
    const { id } = await send({})
    await setRealm({ message_edit_history_visibility_policy: 'none' })
    const reply = await history(id)
    await setRealm({ message_edit_history_visibility_policy: 'all' })
    assert.equal(reply.result, 'error')
  })
})

describe('Add an emoji reaction', () => {
  const react = (id: number, params: CallParams) =>
    server.as('admin').post(`/messages/${id}/reactions`, params)

  test('`emoji_name` is required', async () => {
    const { id } = await send({})
    assert.equal((await react(id, {})).result, 'error')
    assert.deepEqual(await react(id, { emoji_name: 'octopus' }), success)
  })

  test('`BAD_REQUEST` for an invalid emoji code', async () => {
    const { id } = await send({})
    const bad = { emoji_name: 'octopus', emoji_code: 'zzz', reaction_type: 'unicode_emoji' }
    assert.deepEqual(await react(id, bad), failure('Invalid emoji code.'))
  })

  test('`REACTION_ALREADY_EXISTS` when the same reaction was already added', async () => {
    const { id } = await send({})
    await react(id, { emoji_name: 'octopus' })
    const again = await react(id, { emoji_name: 'octopus' })
    assert.equal(again.code, 'REACTION_ALREADY_EXISTS')
  })
})

describe('Mark messages in a topic as read', () => {
  test('`stream_id` and `topic_name` are required, and only that topic is read', async () => {
    const one = await server.say('admin', 'public', 'to be read')
    const other = await server.say('admin', 'public', 'not to be read')
    const mark = (params: CallParams) => server.as('member').post('/mark_topic_as_read', params)
    assert.equal((await mark({ stream_id: denmark })).result, 'error')
    assert.equal((await mark({ topic_name: 'to be read' })).result, 'error')
    assert.deepEqual(await mark({ stream_id: denmark, topic_name: 'to be read' }), success)
    assert.deepEqual((await first(one)).flags, ['read'])
    assert.deepEqual((await first(other)).flags, [])
  })
})

describe('Delete a topic', () => {
  const remove = (actor: 'admin' | 'moderator' | 'member', params: CallParams) =>
    server.as(actor).post(`/streams/${verona}/delete_topic`, params)

  test('`complete` is true when every message of the topic was deleted', async () => {
    await server.say('member', 'shared', 'doomed')
    const kept = await server.say('member', 'shared', 'spared')
    assert.deepEqual(await remove('admin', { topic_name: 'doomed' }), {
      ...success,
      complete: true,
    })
    const narrow = [['channel', verona]]
    const page = await fetch({ anchor: 'newest', num_before: 9, num_after: 0, narrow })
    assert.deepEqual(idsOf(page), [kept])
  })

  for (const actor of ['moderator', 'member'] as const) {
    test(`\`UNAUTHORIZED_PRINCIPAL\` for a ${actor}, and nothing is deleted`, async () => {
      const id = await server.say('member', 'shared', 'kept')
      const reply = await remove(actor, { topic_name: 'kept' })
      assert.deepEqual([reply.result, reply.code], ['error', 'UNAUTHORIZED_PRINCIPAL'])
      assert.equal((await first(id)).id, id)
    })
  }

  test('`stream` events with op `update` carry an updated `first_message_id`', async () => {
    const { id: channel_id } = await server.as('admin').post('/channels/create', {
      name: 'short-lived',
      subscribers: [server.ids.member, server.ids.admin],
    })
    const say = async (topic: string) => (await send({ to: Number(channel_id), topic })).id
    await say('old')
    const next = await say('new')
    const watch = await server.as('member').watch('stream')
    for (const topic of ['channel events', 'old']) {
      await server.as('admin').post(`/streams/${channel_id}/delete_topic`, { topic_name: topic })
    }
    const last = (await watch.drain()).at(-1)
    assert.deepEqual(
      [last?.op, last?.property, last?.value, last?.stream_id],
      ['update', 'first_message_id', next, channel_id],
    )
  })
})
