import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { indexMessages } from '#features/foundation/core/indexing.queries.ts'
import { graceSeconds } from '#features/organization/retention/progress.queries.ts'
import { success } from '#test/support/replies.ts'
import { type Actor, type CallParams, type Channel, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { ids, channels } = server

const day = 24 * 3600

/** In two steps: what is looked at within one jump of the clock is looked at as of its start. */
async function pass(seconds: number): Promise<void> {
  const last = Math.min(seconds, 60)
  for (const step of [seconds - last, last]) {
    server.clock.advance(step * 1000)
    await server.settled()
  }
}

async function setRealm(message_retention_days: number | 'unlimited'): Promise<void> {
  const params = { message_retention_days }
  assert.equal((await server.as('owner').patch('/realm', params)).result, 'success')
}

async function setChannel(id: number, days: number | string): Promise<void> {
  const params = { message_retention_days: days }
  assert.deepEqual(await server.as('owner').patch(`/streams/${id}`, params), success)
}

const isThere = async (actor: Actor, id: number) =>
  (await server.as(actor).get(`/messages/${id}`)).result === 'success'

/** Lets time go by until `days` after now, but for the last minutes; then `watch` sees what falls due. */
async function lastMinutes(days: number): Promise<void> {
  await pass(days * day - 120)
}

describe('a message is kept', () => {
  const forEver = 400
  // biome-ignore format: a table reads best in columns
  const table: [string, number | 'unlimited', number | string | undefined, number][] = [
    // whose setting decides               organization  channel          days it is kept
    ['as long as the organization says',   3,            'realm_default', 3],
    ['as long as its channel says',        3,            5,               5],
    ['shorter where its channel says so',  30,           2,               2],
    ['for ever in an unlimited channel',   3,            'unlimited',     forEver],
    ['for ever where nobody says',         'unlimited',  'realm_default', forEver],
    ['as its channel says, where nobody else says', 'unlimited', 4,       4],
  ]
  for (const [what, realm, channel, days] of table) {
    test(`${what} (organization ${realm}, channel ${channel})`, async () => {
      await setRealm(realm)
      if (channel !== undefined) await setChannel(channels.public, channel)
      const id = await server.say('member', 'public')
      const next = await (async () => {
        await pass(day / 2)
        return server.say('member', 'public')
      })()
      await pass((days - 0.5) * day - 1)
      assert.equal(await isThere('member', id), true, 'until the last second')
      if (days === forEver) return
      await pass(60)
      assert.equal(await isThere('member', id), false)
      assert.equal(await isThere('member', next), true, 'it is younger')
    })
  }

  test('as long as the organization says, when it is a direct message', async () => {
    await setRealm(3)
    await setChannel(channels.public, 'unlimited')
    const id = await server.say('member', ['cordelia'])
    await pass(3 * day - 1)
    assert.equal(await isThere('cordelia', id), true)
    await pass(60)
    assert.equal(await isThere('cordelia', id), false)
  })

  test('as its setting is by now, with some minutes to take a slip back', async () => {
    await setRealm('unlimited')
    await setChannel(channels.public, 'unlimited')
    const id = await server.say('member', 'public')
    await pass(10 * day)
    await setChannel(channels.public, 9)
    await pass(graceSeconds - 1)
    assert.equal(await isThere('member', id), true)
    await setChannel(channels.public, 11)
    await pass(graceSeconds)
    assert.equal(await isThere('member', id), true)
    await setChannel(channels.public, 9)
    await pass(graceSeconds)
    assert.equal(await isThere('member', id), false)
    await setChannel(channels.public, 'unlimited')
    await setRealm(4)
    const kept = await server.say('member', 'public')
    await pass(20 * day)
    assert.equal(await isThere('member', kept), true)
    await setChannel(channels.public, 'realm_default')
    await pass(graceSeconds)
    assert.equal(await isThere('member', kept), false)
  })

  test('no longer than others in an archived channel', async () => {
    await setRealm(2)
    const { id: channel } = await make('attic', {})
    const id = await post('owner', channel)
    await server.as('owner').del(`/streams/${channel}`)
    await pass(2 * day)
    assert.equal(await isThere('owner', id), false)
  })
})

const make = (name: string, params: CallParams) =>
  server
    .as('owner')
    .post<{ id: number }>('/channels/create', { name, subscribers: [ids.owner], ...params })

async function post(actor: Actor, channel: number, topic = 'x', content = 'Hello.') {
  const params = { type: 'channel', to: channel, topic, content }
  const reply = await server.as(actor).post<{ id: number }>('/messages', params)
  assert.equal(reply.result, 'success', reply.msg)
  return reply.id
}

describe('clients hear', () => {
  const bulk = {
    event_types: ['delete_message', 'stream'],
    client_capabilities: { bulk_message_deletion: true, empty_topic_name: true },
  }
  const single = { event_types: ['delete_message'] }

  test('which messages of which topics are gone, and which is the first now', async () => {
    await setRealm('unlimited')
    const { id: stream_id } = await make('brief', { message_retention_days: 1 })
    const first = await post('owner', stream_id, 'one')
    const second = await post('owner', stream_id, '')
    const third = await post('owner', stream_id, 'One')
    await pass(60)
    const fourth = await post('owner', stream_id, 'one')
    await lastMinutes(1)
    const [bulky, old, other] = await Promise.all([
      server.as('owner').watchWith(bulk),
      server.as('member').watchWith(single),
      server.as('guest').watchWith(single),
    ])
    await pass(60)
    const type = 'delete_message'
    const event = { type, message_type: 'stream', stream_id }
    const update = { type: 'stream', op: 'update', stream_id, name: 'brief' }
    assert.deepEqual(await bulky.drain(), [
      { ...event, topic: 'one', message_ids: [first, third] },
      { ...event, topic: '', message_ids: [second] },
      { ...update, property: 'first_message_id', value: fourth },
    ])
    assert.deepEqual(await old.drain(), [
      { ...event, topic: 'one', message_id: first },
      { ...event, topic: 'one', message_id: third },
      { ...event, topic: 'general chat', message_id: second },
    ])
    assert.deepEqual(await other.drain(), [], 'a guest who is not subscribed')
    await pass(60)
    assert.deepEqual((await bulky.drain()).at(-1), {
      ...update,
      property: 'first_message_id',
      value: null,
    })
  })

  test('which direct messages are gone', async () => {
    await setRealm(1)
    const id = await server.say('member', ['cordelia'])
    await lastMinutes(1)
    const [member, cordelia, admin] = await Promise.all([
      server.as('member').watchWith(bulk),
      server.as('cordelia').watchWith(single),
      server.as('admin').watchWith(bulk),
    ])
    await pass(120)
    const event = { type: 'delete_message', message_type: 'private' }
    assert.deepEqual(await member.drain(), [{ ...event, message_ids: [id] }])
    assert.deepEqual(await cordelia.drain(), [{ ...event, message_id: id }])
    assert.deepEqual(await admin.drain(), [])
    await setRealm('unlimited')
  })

  test('of no message of a protected history that they could not read', async () => {
    const { id: channel } = await make('confidential', {
      message_retention_days: 1,
      invite_only: true,
      history_public_to_subscribers: false,
    })
    const subscribe = () =>
      server.as('owner').post('/users/me/subscriptions', {
        subscriptions: [{ name: 'confidential' }],
        principals: [ids.zoe],
      })
    const before = await post('owner', channel)
    await subscribe()
    const between = await post('owner', channel)
    const params = { subscriptions: ['confidential'], principals: [ids.zoe] }
    await server.as('owner').del('/users/me/subscriptions', params)
    const unseen = await post('owner', channel)
    await subscribe()
    const later = await post('owner', channel)
    await lastMinutes(1)
    const only = { ...bulk, event_types: ['delete_message'] }
    const [owner, zoe, old] = await Promise.all([
      server.as('owner').watchWith(only),
      server.as('zoe').watchWith(only),
      server.as('zoe').watchWith(single),
    ])
    await pass(120)
    const listed = async (queue: typeof owner) =>
      (await queue.drain()).flatMap(({ message_ids, message_id }) => message_ids ?? message_id)
    const all = [before, between, unseen, later]
    assert.deepEqual(
      (await listed(owner)).filter((id) => all.includes(id as number)),
      all,
    )
    assert.deepEqual(await listed(zoe), [between, later])
    assert.deepEqual(await listed(old), [between, later])
  })
})

test('with a message goes everything that hangs on it, and nothing else', async () => {
  await setRealm('unlimited')
  await setChannel(channels.public, 1)
  const { $client } = server.server.context.store.db
  const member = server.as('member')
  const upload = new FormData()
  upload.set('file', new Blob(['text']), 'file.txt')
  const authorization = `Basic ${Buffer.from(`${member.email}:${member.apiKey}`).toString('base64')}`
  const uploaded = await fetch(`${server.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: { authorization },
    body: upload,
  })
  const { url } = (await uploaded.json()) as { url: string }
  async function trouble(channel: Channel): Promise<number> {
    const id = await server.say('member', channel, 'all', '@**Zoe|7** wait')
    await member.patch(`/messages/${id}`, { content: `@**Zoe|7** see [this](${url}) zygomorphic` })
    await server.as('zoe').post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
    const star = { messages: [id], op: 'add', flag: 'starred' }
    await server.as('zoe').post('/messages/flags', star)
    const content = { widget_type: 'poll', extra_data: { question: '', options: [] } }
    await member.post('/submessage', { message_id: id, msg_type: 'widget', content })
    const at = Math.floor(server.clock.now() / 1000) + 90 * day
    await server.as('zoe').post('/reminders', { message_id: id, scheduled_delivery_timestamp: at })
    return id
  }
  const tables = ['reactions', 'message_flags', 'submessages', 'reminders', 'attachment_claims']
  const rows = (id: number) => [
    ...tables.map((table) =>
      $client.prepare(`SELECT count(*) FROM ${table} WHERE message_id = ?`).pluck().get(id),
    ),
    $client.prepare('SELECT count(*) FROM messages_fts_docsize WHERE id = ?').pluck().get(id),
  ]
  const id = await trouble('public')
  const kept = await trouble('shared')
  const found = async () => {
    const narrow = [{ operator: 'search', operand: 'zygomorphic' }]
    const params = { narrow, anchor: 'newest', num_before: 5, num_after: 0 }
    const reply = await server.as('zoe').get<{ messages: { id: number }[] }>('/messages', params)
    return reply.messages.map((message) => message.id)
  }
  assert.deepEqual(await found(), [id, kept])
  assert.deepEqual(rows(id), [1, 1, 1, 1, 1, 1])
  await pass(day)
  assert.deepEqual(rows(id), [0, 0, 0, 0, 0, 0])
  assert.deepEqual(rows(kept), [1, 1, 1, 1, 1, 1])
  assert.deepEqual(await found(), [kept])
  const { starred_messages: starred } = (await server.as('zoe').watch()).state
  assert.deepEqual(starred, [kept])
  const { attachments } = await member.get<{ attachments: { message_ids?: number[] }[] }>(
    '/attachments',
  )
  assert.equal(attachments.length, 1, 'another message still links to the file')
  await setChannel(channels.shared, 1)
  await pass(graceSeconds)
  assert.deepEqual(rows(kept), [0, 0, 0, 0, 0, 0])
  assert.deepEqual((await member.get('/attachments')).attachments, [])
  await setChannel(channels.shared, 'unlimited')
})

test('what is left is as read and unread as before', async () => {
  await setChannel(channels.public, 1)
  const older = [await server.say('member', 'public'), await server.say('member', 'public')]
  await pass(day / 2)
  const newer = [await server.say('member', 'public'), await server.say('member', 'public')]
  const [, second] = older
  const [, fourth] = newer
  const params = { messages: [second, fourth], op: 'add', flag: 'read' }
  await server.as('zoe').post('/messages/flags', params)
  const unread = async (actor: Actor) => {
    const { unread_msgs } = (await server.as(actor).watch()).state as {
      unread_msgs: { streams: { stream_id: number; unread_message_ids: number[] }[] }
    }
    const ours = unread_msgs.streams.filter(({ stream_id }) => stream_id === channels.public)
    return ours.flatMap(({ unread_message_ids }) => unread_message_ids)
  }
  assert.deepEqual((await unread('zoe')).slice(-2), [older[0], newer[0]])
  await pass(day / 2)
  assert.deepEqual(await unread('zoe'), [newer[0]])
  assert.deepEqual(await unread('prospero'), newer)
  const { $client } = server.server.context.store.db
  const ranges = $client
    .prepare(`SELECT length(ranges) FROM read_state s JOIN channels c USING (recipient_id)
      WHERE c.id = ? AND s.user_id = ?`)
    .pluck()
  const length = ranges.get(channels.public, ids.zoe) as number
  assert.ok(length <= 12, `two ranges are left, in ${length} bytes`)
})

test('a message that was moved where they are kept for a shorter time goes within the hour', async () => {
  await setChannel(channels.public, 1)
  await setChannel(channels.shared, 'unlimited')
  const id = await server.say('member', 'shared')
  await pass(3 * day)
  const params = { stream_id: channels.public, propagate_mode: 'change_one' }
  assert.equal((await server.as('owner').patch(`/messages/${id}`, params)).result, 'success')
  await pass(3600)
  assert.equal(await isThere('owner', id), false)
})

test('thousands of messages go, and a million would not be one write', async () => {
  await setRealm('unlimited')
  const { id: channel } = await make('busy', { message_retention_days: 1 })
  const first = await post('owner', channel)
  const { store } = server.server.context
  const copy = store.db.$client.prepare(`
    INSERT INTO messages (recipient_id, sender_id, topic, topic_key, content, rendered_content,
      sent_at, client)
    SELECT recipient_id, sender_id, topic, topic_key, content, rendered_content, sent_at, client
    FROM messages WHERE id = ?`)
  await store.write((tx) => {
    for (let i = 0; i < 3000; i++) copy.run(first)
    indexMessages(tx)
  })
  const indexSize = store.db.$client
    .prepare('SELECT sum(length(block)) FROM messages_fts_data')
    .pluck()
  const before = indexSize.get() as number
  await lastMinutes(1)
  const queue = await server.as('owner').watchWith({
    event_types: ['delete_message'],
    client_capabilities: { bulk_message_deletion: true },
  })
  await pass(120)
  // A slow machine needs several runs.
  for (let second = 0; second < 30; second++) await pass(1)
  const events = (await queue.drain()).filter(({ stream_id }) => stream_id === channel)
  const sizes = events.map(({ message_ids }) => (message_ids as number[]).length)
  assert.equal(
    sizes.reduce((sum, size) => sum + size),
    3001,
  )
  assert.ok(Math.max(...sizes) <= 300)
  const after = indexSize.get() as number
  assert.ok(after < before / 2, `${after} bytes of search index are left of ${before}`)
})
