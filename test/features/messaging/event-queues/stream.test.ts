import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openBrowser } from '#test/support/browser.ts'
import { type EventRecord, type EventStream, openStream } from '#test/support/event-stream.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Client, startServer, type TestServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const open: EventStream[] = []
after(() => {
  for (const stream of open) stream.leave()
})

const member = server.as('member')
const say = (topic = 'plans') => server.say('owner', 'public', topic)
const bad = (queue_id: string) =>
  failure(`Bad event queue ID: ${queue_id}`, 'BAD_EVENT_QUEUE_ID', { queue_id })

async function register(client: Client = member, params: object = {}): Promise<string> {
  const { queue_id } = await client.post<{ queue_id: string }>('/register', {
    event_types: ['message'],
    ...params,
  })
  return queue_id
}

type Options = Parameters<typeof openStream>[3]

async function follow(
  queue_id: string,
  last_event_id = -1,
  options: Options = {},
  client: Client = member,
  on: TestServer = server,
): Promise<EventStream> {
  const stream = await openStream(on.url, client, { queue_id, last_event_id }, options)
  open.push(stream)
  return stream
}

const held = async (queue_id: string, last_event_id: number) => {
  const params = { queue_id, last_event_id, dont_block: true }
  return await member.get<{ events: { id: number }[] }>('/events', params)
}
const acknowledge = (queue_id: string, last_event_id: number) =>
  member.post('/events/acknowledge', { queue_id, last_event_id })

const messagesOf = (record: EventRecord | undefined) =>
  record?.events.map(({ message }) => (message as { id: number }).id)

/** Gives the member so many events, in one turn of the event loop. */
function emit(count: number, on: TestServer = server): void {
  const { owner, member } = on.ids
  const event = {
    type: 'typing',
    op: 'start',
    message_type: 'direct',
    sender: { user_id: owner, email: 'user9@example.com' },
    recipients: [owner, member].map((user_id) => ({ user_id, email: `${user_id}@example.com` })),
  }
  for (let i = 0; i < count; i++) on.server.context.queues.dispatch(event, [member])
}

describe('a stream', () => {
  test('brings the events of a poll, with their IDs, at once', async () => {
    const [queue, other] = [await register(), await register()]
    await say()
    const stream = await follow(queue)
    const first = await stream.next()
    const id = await say()
    const second = await stream.next()
    const { events } = await held(other, -1)
    assert.deepEqual([...(first?.events ?? []), ...(second?.events ?? [])], events)
    assert.deepEqual([first?.id, second?.id], [0, 1])
    assert.deepEqual(messagesOf(second), [id])
  })

  test('brings what happens in one turn in one record', async () => {
    const queue = await register(member, { event_types: ['typing'] })
    const stream = await follow(queue)
    emit(3)
    const record = await stream.next()
    assert.deepEqual(
      record?.events.map(({ id }) => id),
      [0, 1, 2],
    )
    assert.equal(record?.id, 2)
  })

  test('is neither kept nor compressed nor held back', async () => {
    const stream = await follow(await register(), -1, { headers: { 'accept-encoding': 'gzip' } })
    const { headers, status } = stream.response
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/event-stream')
    assert.equal(headers.get('cache-control'), 'no-store, no-transform')
    assert.equal(headers.get('x-accel-buffering'), 'no')
    assert.equal(headers.get('content-encoding'), null)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(await stream.signs(1), 1)
  })

  test('goes on after the ID that a parameter or the header says', async () => {
    const queue = await register()
    for (let i = 0; i < 3; i++) await say()
    const first = await follow(queue, 0)
    assert.deepEqual(
      (await first.next())?.events.map(({ id }) => id),
      [1, 2],
    )
    // Browsers repeat the address that they began with.
    const second = await follow(queue, 0, { headers: { 'last-event-id': '1' } })
    assert.deepEqual(
      (await second.next())?.events.map(({ id }) => id),
      [2],
    )
    assert.deepEqual(await first.rest(), [])
  })

  test('brings what came while the client was away', async () => {
    const queue = await register(member, { idle_queue_timeout: '"mobile"' })
    server.clock.advance(40_000)
    const ids = [await say(), await say()]
    const stream = await follow(queue)
    assert.deepEqual(messagesOf(await stream.next()), ids)
    ids.push(await say())
    assert.deepEqual(messagesOf(await stream.next()), ids.slice(2))
  })

  test('shows that it is alive when nothing happens', async () => {
    const stream = await follow(await register())
    await stream.signs(1)
    for (let count = 2; count < 5; count++) {
      server.clock.advance(25_000)
      assert.equal(await stream.signs(count), count)
    }
    await say()
    assert.equal((await stream.next())?.id, 0, 'none of that was an event')
  })

  test('speaks to programs that embed the server', async () => {
    const queue = await register()
    const ask = (request: Request) => server.server.fetch(request)
    const stream = await follow(queue, -1, { ask })
    await say()
    assert.equal((await stream.next())?.id, 0)
    const { length } = (await held(queue, -1)).events
    assert.equal(length, 1)
    assert.deepEqual(await stream.rest(), [], 'a poll took its place')
  })

  test('is not begun by HEAD', async () => {
    const queue = await register()
    const stream = await follow(queue)
    const authorization = `Basic ${btoa(`${member.email}:${member.apiKey}`)}`
    const url = `${server.url}/api/v1/events/stream?queue_id=${queue}`
    const { status } = await fetch(url, { method: 'HEAD', headers: { authorization } })
    assert.equal(status, 200)
    // As for a poll, whoever asks has the queue from then on.
    assert.deepEqual(await stream.rest(), [])
  })
})

describe('a stream is refused', () => {
  const rows: [string, () => Promise<string>, Client, object | undefined, object][] = [
    ['for no queue', async () => 'nonsense', member, undefined, bad('nonsense')],
    [
      'with an ID that is none',
      () => register(),
      member,
      { 'last-event-id': 'x' },
      failure('Argument "last_event_id" is not valid JSON.'),
    ],
    [
      'without an account',
      () => register(),
      { ...member, apiKey: 'x'.repeat(32) },
      undefined,
      failure('Invalid API key', 'INVALID_API_KEY'),
    ],
  ]
  for (const [what, queue, client, headers, expected] of rows) {
    test(what, async () => {
      const stream = await follow(await queue(), -1, { headers: { ...headers } }, client)
      assert.deepEqual(await stream.response.json(), expected)
    })
  }

  test("for someone else's queue, as if there were none", async () => {
    const queue = await register()
    const stream = await follow(queue, -1, {}, server.as('admin'))
    assert.deepEqual(await stream.response.json(), bad(queue))
  })

  test('after an ID that the queue never had, or later than one that it has', async () => {
    const queue = await register()
    for (let i = 0; i < 2; i++) await say()
    assert.deepEqual(await (await follow(queue, 2)).response.json(), bad(queue))
    assert.deepEqual(await acknowledge(queue, 1), success)
    assert.deepEqual(await (await follow(queue, 0)).response.json(), bad(queue))
    assert.deepEqual(await (await follow(queue, 1)).signs(1), 1)
  })
})

describe('what the client acknowledges', () => {
  test('is dropped, while the stream goes on', async () => {
    const queue = await register()
    const stream = await follow(queue)
    for (let i = 0; i < 3; i++) {
      await say()
      await stream.next()
    }
    const { bytes } = server.server.context.queues.size()
    assert.deepEqual(await acknowledge(queue, 1), success)
    assert.ok(server.server.context.queues.size().bytes < bytes)
    await say()
    assert.equal((await stream.next())?.id, 3)
    const { events } = await held(queue, 1)
    assert.deepEqual(
      events.map(({ id }) => id),
      [2, 3],
    )
  })

  test('may be nothing that it cannot have', async () => {
    const queue = await register()
    await say()
    assert.deepEqual(await acknowledge(queue, 1), bad(queue))
    assert.deepEqual(await acknowledge('nonsense', 0), bad('nonsense'))
    const reply = await server
      .as('admin')
      .post('/events/acknowledge', { queue_id: queue, last_event_id: 0 })
    assert.deepEqual(reply, bad(queue))
    assert.equal((await held(queue, -1)).events.length, 1)
  })

  test('keeps a stream going, however many events come at once', async () => {
    const queue = await register(member, { event_types: ['typing'] })
    const stream = await follow(queue)
    const count = 10_000
    emit(count)
    let last = -1
    let acknowledged = -1
    while (last < count - 1) {
      const record = await stream.next()
      assert.equal(record?.events[0]?.id, last + 1)
      last = record.id
      if (last - acknowledged < 200) continue
      acknowledged = last
      assert.deepEqual(await acknowledge(queue, last), success)
    }
    emit(1)
    assert.equal((await stream.next())?.id, count)
  })

  test('may be nothing for a mebibyte of events: then it has to ask again, and misses none', async () => {
    const queue = await register(member, { event_types: ['typing'] })
    const stream = await follow(queue)
    emit(6000)
    const records = [await stream.next()]
    server.clock.advance(30_000)
    records.push(...(await stream.rest()))
    const ids = records.flatMap((record) => record?.events.map(({ id }) => id) ?? [])
    assert.ok(ids.length < 6000, 'it waited for an acknowledgement')
    const resumed = await follow(queue, ids.at(-1))
    while (ids.length < 6000) {
      ids.push(...((await resumed.next())?.events.map(({ id }) => id) ?? []))
    }
    assert.deepEqual(
      ids,
      Array.from({ length: 6000 }, (_, id) => id),
    )
  })

  test('is nothing if it does not read either: then its stream ends, and the queue keeps all', async () => {
    const queue = await register(member, { event_types: ['typing'] })
    const authorization = `Basic ${btoa(`${member.email}:${member.apiKey}`)}`
    const url = `${server.url}/api/v1/events/stream?queue_id=${queue}`
    const unread = await fetch(url, { headers: { authorization } })
    emit(20_000)
    await new Promise((resolve) => setImmediate(resolve))
    server.clock.advance(50_000)
    const { length } = await unread.text()
    assert.ok(length < 1.3 * 1024 * 1024, `${length}`)
    assert.equal((await held(queue, -1)).events[0]?.id, 0)
  })

  test('may be nothing for ten minutes', async () => {
    const [silent, speaking] = [await register(), await register()]
    const streams = [await follow(silent), await follow(speaking)]
    await say()
    for (const stream of streams) await stream.next()
    for (let minute = 0; minute < 11; minute++) {
      server.clock.advance(60_000)
      if (minute === 5) await acknowledge(speaking, 0)
    }
    assert.deepEqual(await streams[0]?.rest(), [])
    await say()
    assert.equal((await streams[1]?.next())?.id, 1)
  })
})

describe('a stream ends', () => {
  test('when another request takes its place', async () => {
    const queue = await register()
    const [first, second] = [await follow(queue), await follow(queue)]
    assert.deepEqual(await first.rest(), [])
    const waiting = member.get<{ events: object[] }>('/events', { queue_id: queue })
    assert.deepEqual(await second.rest(), [])
    const third = await follow(queue)
    assert.deepEqual((await waiting).events, [])
    await say()
    assert.equal((await third.next())?.id, 0)
  })

  test('when its queue is deleted', async () => {
    const queue = await register()
    const stream = await follow(queue)
    await member.del('/events', { queue_id: queue })
    assert.deepEqual(await stream.rest(), [])
    assert.deepEqual(stream.refusal, bad(queue))
  })

  test('when its client has gone: the queue waits for nobody then', async () => {
    const queue = await register()
    const stream = await follow(queue)
    await stream.signs(1)
    const { parked } = server.server.context.queues.size()
    stream.leave()
    while (server.server.context.queues.size().parked === parked) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    await say()
    assert.equal((await held(queue, -1)).events.length, 1)
  })

  test('when its account is deactivated', async () => {
    const person = await server.enroll('Streaming')
    const stream = await follow(await register(person), -1, {}, person)
    await server.as('owner').del(`/users/${person.id}`)
    assert.deepEqual(await stream.rest(), [])
    assert.deepEqual(stream.refusal, failure('Account is deactivated', 'USER_DEACTIVATED'))
  })

  test('when its key is replaced', async () => {
    const person = await server.enroll('Changing')
    const stream = await follow(await register(person), -1, {}, person)
    await person.post('/users/me/api_key/regenerate')
    assert.deepEqual(await stream.rest(), [])
    assert.deepEqual(stream.refusal, failure('Invalid API key', 'INVALID_API_KEY'))
  })

  /** A stream of the session of a browser. */
  async function followInBrowser(): Promise<EventStream> {
    const browser = openBrowser(server.url)
    await browser.fill('/login/', { user_id: String(server.ids.member) }, '/devlogin')
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(`${server.url}/json/register`, {
      method: 'POST',
      headers: { cookie, 'x-csrftoken': browser.cookies.get('csrftoken') ?? '' },
      body: new URLSearchParams({ event_types: '["message"]' }),
    })
    const { queue_id } = (await response.json()) as { queue_id: string }
    return await follow(queue_id, -1, { prefix: '/json', headers: { cookie } })
  }

  test('when its session ends', async () => {
    const stream = await followInBrowser()
    await say()
    assert.equal((await stream.next())?.id, 0)
    await member.del('/users/me/sessions')
    assert.deepEqual(await stream.rest(), [])
    assert.equal(stream.refusal?.code, 'UNAUTHORIZED')
  })

  test('when its session has expired, at the next sign of life', async () => {
    const stream = await followInBrowser()
    await stream.signs(1)
    server.clock.advance(400 * 24 * 3600_000)
    assert.deepEqual(await stream.rest(), [])
    assert.equal(stream.refusal?.code, 'UNAUTHORIZED')
  })
})

test('a deactivated organization tells it, and ends', async () => {
  const own = await startServer()
  after(own.close)
  const owner = own.as('owner')
  const { queue_id } = await owner.post<{ queue_id: string }>('/register', {
    event_types: ['realm'],
  })
  const stream = await follow(queue_id, -1, {}, owner, own)
  await owner.post('/realm/deactivate', {})
  const events = (await stream.rest()).flatMap((record) => record.events)
  assert.deepEqual(
    events.map(({ type, op }) => [type, op]),
    [['realm', 'deactivated']],
  )
})

test('a stop ends it, and a restart goes on where it was', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-'))
  after(() => rmSync(data, { recursive: true }))
  const before = await startServer({ data })
  const client = before.as('member')
  const queue = await register(client)
  const stream = await follow(queue, -1, {}, client, before)
  await before.say('owner', 'public')
  const last = (await stream.next())?.id
  await before.close()
  assert.deepEqual(await stream.rest(), [])
  assert.equal(stream.refusal, undefined)

  const later = await startServer({ data })
  after(later.close)
  await later.say('owner', 'public')
  const resumed = await follow(queue, last, {}, later.as('member'), later)
  assert.equal((await resumed.next())?.id, 1)
})
