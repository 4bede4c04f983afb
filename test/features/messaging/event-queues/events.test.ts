import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { failure, success } from '#test/support/replies.ts'
import { startServer, type Watch } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

interface Polled {
  events: { id: number; type: string }[]
  queue_id: string
}

const member = server.as('member')
const register = (params: object = { event_types: ['message'] }) =>
  member.post<{ queue_id: string; last_event_id: number }>('/register', { ...params })
const poll = (queue_id: string, params: object = {}) =>
  member.get<Polled>('/events', { queue_id, ...params })
const say = () => server.say('owner', 'public')
const bad = (queue_id: string) =>
  failure(`Bad event queue ID: ${queue_id}`, 'BAD_EVENT_QUEUE_ID', { queue_id })
const credentials = Buffer.from(`${member.email}:${member.apiKey}`).toString('base64')
/** A poll that the client may break off. */
const breakablePoll = (queue_id: string, signal: AbortSignal) =>
  new Request(`${server.url}/api/v1/events?queue_id=${queue_id}`, {
    headers: { authorization: `Basic ${credentials}` },
    signal,
  })

describe('reading a queue', () => {
  test('answers at once with what is there, and again until it is acknowledged', async () => {
    const { queue_id, last_event_id } = await register()
    assert.equal(last_event_id, -1)
    await say()
    await say()
    const first = await poll(queue_id, { last_event_id })
    assert.deepEqual(
      first.events.map(({ id }) => id),
      [0, 1],
    )
    assert.equal(first.queue_id, queue_id)
    assert.deepEqual(await poll(queue_id, { last_event_id }), first)
    const rest = await poll(queue_id, { last_event_id: 0 })
    assert.deepEqual(rest.events, first.events.slice(1))
    const done = await poll(queue_id, { last_event_id: 1, dont_block: true })
    assert.deepEqual(done.events, [])
  })

  test('tolerates an id from before what was acknowledged', async () => {
    const { queue_id } = await register()
    await say()
    await say()
    await poll(queue_id, { last_event_id: 0 })
    const again = await poll(queue_id, { last_event_id: -1 })
    assert.deepEqual(
      again.events.map(({ id }) => id),
      [1],
    )
  })

  test('refuses an id that the queue never had, or after which it has dropped events', async () => {
    const { queue_id } = await register()
    await say()
    await say()
    const ask = (last_event_id: number) => poll(queue_id, { last_event_id, dont_block: true })
    assert.deepEqual(await ask(2), bad(queue_id))
    assert.equal((await ask(-1)).events.length, 2, 'nothing was dropped')
    assert.deepEqual((await ask(1)).events, [])
    assert.deepEqual(await ask(0), bad(queue_id))
    assert.deepEqual((await ask(1)).events, [])
  })

  test('waits for the next event', async () => {
    const { queue_id } = await register()
    const waiting = poll(queue_id)
    await server.as('member').get('/users/me')
    await say()
    assert.deepEqual(
      (await waiting).events.map(({ type }) => type),
      ['message'],
    )
  })

  test('gets a heartbeat when nothing happens', async () => {
    const { queue_id } = await register()
    const waiting = poll(queue_id)
    await server.as('member').get('/users/me')
    server.clock.advance(50_000)
    assert.deepEqual((await waiting).events, [{ id: 0, type: 'heartbeat' }])
  })

  test('answers an earlier poll when a new one comes', async () => {
    const { queue_id } = await register()
    const first = poll(queue_id)
    await server.as('member').get('/users/me')
    const second = poll(queue_id)
    assert.deepEqual((await first).events, [])
    await say()
    assert.equal((await second).events.length, 1)
  })

  test('loses nothing when the client goes away while it waits', async () => {
    const { queue_id } = await register()
    const leaving = new AbortController()
    const lost = fetch(breakablePoll(queue_id, leaving.signal))
    await server.as('member').get('/users/me')
    leaving.abort()
    await assert.rejects(lost)
    await say()
    assert.equal((await poll(queue_id)).events.length, 1)
  })

  test('waits without a socket too, until it is given up', async () => {
    const { queue_id } = await register()
    const leaving = new AbortController()
    const answered = server.server.fetch(breakablePoll(queue_id, leaving.signal))
    await say()
    const { events } = (await (await answered).json()) as Polled
    assert.equal(events.length, 1)
    await poll(queue_id, { last_event_id: 0, dont_block: true })
    const broken = server.server.fetch(breakablePoll(queue_id, leaving.signal))
    await server.as('member').get('/users/me')
    leaving.abort()
    assert.equal((await broken).status, 400)
  })

  test('registers a queue when it gets the parameters of one', async () => {
    const reply = await member.get<Polled>('/events', {
      event_types: ['message'],
      dont_block: true,
    })
    assert.deepEqual(reply, { ...success, events: [], queue_id: reply.queue_id })
    await say()
    assert.equal((await poll(reply.queue_id)).events.length, 1)
  })
})

describe('a queue that is not there', () => {
  test('is answered with its id, for reading and for deleting', async () => {
    assert.deepEqual(await poll('nonsense'), bad('nonsense'))
    assert.deepEqual(await member.del('/events', { queue_id: 'nonsense' }), bad('nonsense'))
    assert.deepEqual(
      await member.del('/events', {}),
      failure("Missing 'queue_id' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'queue_id' }),
    )
  })

  test("answers the same when it is someone else's", async () => {
    const { queue_id } = await register()
    const reply = await server.as('admin').get('/events', { queue_id })
    assert.deepEqual(reply, bad(queue_id))
    const removal = await server.as('admin').del('/events', { queue_id })
    assert.deepEqual(removal, bad(queue_id))
  })

  test('was deleted, and its parked poll is told so', async () => {
    const { queue_id } = await register()
    const waiting = poll(queue_id)
    await server.as('member').get('/users/me')
    assert.deepEqual(await member.del('/events', { queue_id }), success)
    assert.deepEqual(await waiting, bad(queue_id))
  })

  test('was not read for its lifespan', async () => {
    const short = await register({ event_types: ['message'] })
    const long = await register({ event_types: ['message'], idle_queue_timeout: '"mobile"' })
    server.clock.advance(11 * 60_000)
    assert.deepEqual(await poll(short.queue_id, { dont_block: true }), bad(short.queue_id))
    const alive = await poll(long.queue_id, { dont_block: true })
    assert.deepEqual(alive.events, [])
  })
})

describe('what a client registers for', () => {
  test('only events of the types it names', async () => {
    const { queue_id } = await register({ event_types: ['reaction'] })
    const id = await say()
    await server.as('owner').post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
    const { events } = await poll(queue_id)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['reaction'],
    )
  })

  test('only messages of its narrow, and everything else', async () => {
    const { queue_id } = await register({
      event_types: ['message', 'reaction'],
      narrow: [['is', 'private']],
    })
    const id = await say()
    await server.as('owner').post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
    await server.say('owner', ['member'])
    const { events } = await poll(queue_id)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['reaction', 'message'],
    )
  })

  test('a lifespan from one second to a week', async () => {
    const { idle_queue_timeout_secs } = (await register({
      idle_queue_timeout: 3600,
    } as never)) as never as { idle_queue_timeout_secs: number }
    assert.equal(idle_queue_timeout_secs, 3600)
    for (const idle_queue_timeout of [0, -1, 604_801, 'forever', 1.5]) {
      const reply = await member.post('/register', { idle_queue_timeout })
      assert.deepEqual(reply, failure('Invalid idle_queue_timeout'))
    }
  })

  test('capabilities that it need not know all of', async () => {
    const reply = await member.post('/register', {
      event_types: ['message'],
      client_capabilities: { empty_topic_name: true, from_the_future: false },
    })
    assert.equal(reply.result, 'success')
    const bad = await member.post('/register', { client_capabilities: { empty_topic_name: 1 } })
    assert.deepEqual(bad, failure('client_capabilities["empty_topic_name"] is not a boolean'))
  })
})

test('between the state and the first event nothing is missed and nothing doubled', async () => {
  const pouring = Promise.all(Array.from({ length: 60 }, say))
  const registered = await Promise.all(
    Array.from({ length: 20 }, () =>
      member.post<{ queue_id: string; max_message_id: number }>('/register', {
        event_types: ['message'],
      }),
    ),
  )
  const ids = (await pouring).sort((a, b) => a - b)
  for (const { queue_id, max_message_id } of registered) {
    const { events } = (await poll(queue_id, { dont_block: true })) as unknown as {
      events: { message: { id: number } }[]
    }
    assert.deepEqual(
      events.map(({ message }) => message.id),
      ids.filter((id) => id > max_message_id),
    )
  }
})

test('clients whose queues outlive a restart hear what the server can do now', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-'))
  after(() => rmSync(data, { recursive: true }))
  const before = await startServer({ data })
  const [all, some] = await Promise.all([
    before.as('member').watch(),
    before.as('member').watch('message'),
  ])
  await before.close()
  const later = await startServer({ data, config: { announcedFeatureLevel: 500 } })
  after(later.close)
  const events = async ({ queueId }: Watch) => {
    const params = { queue_id: queueId, last_event_id: -1, dont_block: true }
    return (await later.as('member').get<Polled>('/events', params)).events
  }
  const { zulip_version, zulip_merge_base } = all.state
  assert.deepEqual(await events(all), [
    {
      id: 0,
      type: 'restart',
      zulip_version,
      zulip_merge_base,
      zulip_feature_level: 500,
      server_generation: Math.floor(later.clock.now() / 1000),
    },
  ])
  assert.deepEqual(await events(some), [])
})

test('a clean restart keeps queues, their unread events and their forms', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-'))
  after(() => rmSync(data, { recursive: true }))
  const before = await startServer({ data })
  const queue = await before.as('member').watchWith({
    event_types: ['message'],
    apply_markdown: true,
    narrow: [['topic', 'kept']],
  })
  await before.say('owner', 'public', 'kept', '*one*')
  const parked = before
    .as('owner')
    .watch('message')
    .then((other) => other.next())
  await before.as('owner').get('/users/me')
  await before.close()
  assert.deepEqual(await parked, [])

  const restarted = await startServer({ data })
  after(restarted.close)
  await restarted.say('owner', 'public', 'other', '*ignored*')
  await restarted.say('owner', 'public', 'kept', '*two*')
  const reply = await restarted.as('member').get<Polled>('/events', {
    queue_id: queue.queueId,
    last_event_id: -1,
  })
  const contents = (reply.events as unknown as { message: { content: string } }[]).map(
    ({ message }) => message.content,
  )
  assert.deepEqual(contents, ['<p><em>one</em></p>', '<p><em>two</em></p>'])
  assert.deepEqual(
    reply.events.map(({ id }) => id),
    [0, 1],
  )
})
