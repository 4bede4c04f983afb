import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type Actor, startServer, type TestServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

interface Event {
  readonly id: number
  readonly type: string
  readonly message?: { readonly id: number; readonly content: string }
  readonly flags?: readonly string[]
  readonly local_message_id?: string
}

const away = 40_000

const params = { event_types: null, idle_queue_timeout: '"mobile"', fetch_event_types: ['message'] }

async function register(on: TestServer, actor: Actor, more: object = {}): Promise<string> {
  const reply = await on.as(actor).post<{ queue_id: string }>('/register', { ...params, ...more })
  return reply.queue_id
}

async function poll(on: TestServer, actor: Actor, queue_id: string, last = -1): Promise<Event[]> {
  const asked = { queue_id, last_event_id: last, dont_block: true }
  const reply = await on.as(actor).get<{ events: Event[] }>('/events', asked)
  assert.equal(reply.result, 'success', reply.msg)
  return reply.events
}

/** All that waits in a queue, in as many polls as it takes. */
async function drain(on: TestServer, actor: Actor, queueId: string, last = -1): Promise<Event[]> {
  const all: Event[] = []
  for (;;) {
    const events = await poll(on, actor, queueId, all.at(-1)?.id ?? last)
    if (events.length === 0) return all
    all.push(...events)
    requireAscending(all)
  }
}

function requireAscending(events: readonly Event[]): void {
  for (const [i, { id }] of events.entries()) {
    if (i > 0) assert.ok(id > (events[i - 1]?.id ?? id), `${id} after ${events[i - 1]?.id}`)
  }
}

/** What a queue has said, without what differs: its IDs. */
const said = (events: readonly Event[]) =>
  events.map(({ type, message }) => (message ? `${type} ${message.id}` : type))

interface Subscription {
  readonly stream_id: number
  readonly name: string
}

/** The messages in a queue of the member. */
const ids = async (queueId = '') =>
  (await drain(server, 'member', queueId)).flatMap(({ message }) => message?.id ?? [])

const size = () => server.server.context.queues.size()

describe('a client that has not polled for a while', () => {
  test('gets every message and every other event in their order when it is back', async () => {
    const there = await register(server, 'member')
    const gone = await register(server, 'member')
    await drain(server, 'member', there)
    const before = size().away
    server.clock.advance(away)
    await drain(server, 'member', there)
    assert.ok(size().away > before, 'it counts as away')
    for (let i = 0; i < 3; i++) {
      const id = await server.say('owner', 'public', 'topic', `message ${i}`)
      await server.as('owner').post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
      await server.say('owner', ['member'])
      await server.as('owner').post('/users/me/status', { status_text: `${i}` })
    }
    const expected = await drain(server, 'member', there)
    const events = await drain(server, 'member', gone)
    assert.deepEqual(said(events), said(expected))
    assert.deepEqual(
      events.map(({ message }) => message),
      expected.map(({ message }) => message),
    )
    assert.deepEqual(
      events.map(({ flags }) => flags),
      expected.map(({ flags }) => flags),
    )
  })

  test('follows what happens from then on', async () => {
    const queueId = await register(server, 'member')
    server.clock.advance(away)
    const first = await server.say('owner', 'public')
    const [event] = await poll(server, 'member', queueId)
    assert.equal(event?.message?.id, first)
    const asked = { queue_id: queueId, last_event_id: event?.id }
    const waiting = server.as('member').get<{ events: Event[] }>('/events', asked)
    await server.as('member').get('/users/me')
    const second = await server.say('owner', 'public')
    const { events } = await waiting
    assert.deepEqual(said(events), [`message ${second}`])
    assert.ok((events[0]?.id ?? 0) > (event?.id ?? 0))
  })

  test('gets the same events again, with the same IDs, until it acknowledges them', async () => {
    const queueId = await register(server, 'member')
    server.clock.advance(away)
    for (let i = 0; i < 4; i++) await server.say('owner', 'public')
    const first = await poll(server, 'member', queueId)
    assert.equal(first.length, 4)
    assert.deepEqual(await poll(server, 'member', queueId), first)
    const rest = await poll(server, 'member', queueId, first[1]?.id)
    assert.deepEqual(rest, first.slice(2))
  })

  test('gets more messages than fit into one reply in several', async () => {
    const queueId = await register(server, 'member')
    server.clock.advance(away)
    const ids: number[] = []
    for (let i = 0; i < 26; i++) {
      const sending = Array.from({ length: 50 }, () => server.say('owner', 'public'))
      ids.push(...(await Promise.all(sending)))
      await server.as('owner').post('/users/me/status', { status_text: `at ${i}` })
    }
    const first = await poll(server, 'member', queueId)
    assert.ok(first.length < ids.length)
    const all = await drain(server, 'member', queueId)
    const messages = all.flatMap(({ message }) => message?.id ?? [])
    assert.deepEqual(
      messages,
      ids.sort((a, b) => a - b),
    )
    assert.equal(all.length, ids.length + 26)
  })

  test('goes on from each part of what it missed, and from nothing beyond', async () => {
    const queueId = await register(server, 'member')
    const seen = await server.say('owner', 'public')
    const [{ id: known } = { id: -1 }] = await poll(server, 'member', queueId)
    server.clock.advance(away)
    for (let i = 0; i < 11; i++) {
      await Promise.all(Array.from({ length: 50 }, () => server.say('owner', 'public')))
    }
    await server.say('owner', ['admin'])
    const last = await server.say('owner', 'public')
    const ask = (last_event_id: number) =>
      server.as('member').get('/events', { queue_id: queueId, last_event_id, dont_block: true })
    const newest = known + last - seen
    assert.equal((await ask(newest + 1)).code, 'BAD_EVENT_QUEUE_ID')
    const first = await poll(server, 'member', queueId, known)
    assert.ok(first.length < 551, 'a part')
    const rest = await drain(server, 'member', queueId, first.at(-1)?.id)
    assert.equal(first.length + rest.length, 551)
    assert.equal(rest.at(-1)?.id, newest)
    assert.equal((await ask(newest + 1)).code, 'BAD_EVENT_QUEUE_ID')
    assert.equal((await ask(known)).code, 'BAD_EVENT_QUEUE_ID', 'it has dropped later ones')
    assert.deepEqual(await poll(server, 'member', queueId, newest), [])
  })

  test('gets what became of messages after them, and nothing of those that are gone', async () => {
    const queueId = await register(server, 'member', { apply_markdown: true })
    server.clock.advance(away)
    const [edited, deleted] = [
      await server.say('owner', 'public'),
      await server.say('owner', 'public'),
    ]
    await server.as('owner').patch(`/messages/${edited}`, { content: 'now' })
    await server.as('owner').del(`/messages/${deleted}`)
    const events = await drain(server, 'member', queueId)
    assert.deepEqual(said(events), [`message ${edited}`, 'update_message', 'delete_message'])
    assert.equal(events[0]?.message?.content, '<p>now</p>')
  })

  test('gets no message of a channel that it was not subscribed to', async () => {
    const queueId = await register(server, 'member', { event_types: ['message'] })
    server.clock.advance(away)
    const before = await server.say('owner', 'private')
    const change = (method: 'post' | 'del', name: 'subscriptions', value: unknown) =>
      server.as('owner')[method]('/users/me/subscriptions', {
        [name]: value,
        principals: [server.ids.member],
      })
    const streams = await server
      .as('owner')
      .get<{ subscriptions: Subscription[] }>('/users/me/subscriptions')
    const isPrivate = ({ stream_id }: Subscription) => stream_id === server.channels.private
    const name = streams.subscriptions.find(isPrivate)?.name
    assert.equal((await change('del', 'subscriptions', [name])).result, 'success')
    const unseen = await server.say('owner', 'private')
    const queues = await Promise.all(
      ['before', 'after'].map(async () => await register(server, 'member')),
    )
    server.clock.advance(away)
    assert.deepEqual(await ids(queues[0]), [], 'it has not been subscribed since it registered')
    assert.ok(!(await ids(queueId)).includes(before), 'it may no longer read it')
    assert.equal((await change('post', 'subscriptions', [{ name }])).result, 'success')
    const last = await server.say('owner', 'private')
    const seen = await ids(queues[1])
    assert.ok(seen.includes(last) && !seen.includes(unseen))
  })

  test('that has a narrow gets the messages of the narrow', async () => {
    const queueId = await register(server, 'member', { narrow: [['topic', 'wanted']] })
    server.clock.advance(away)
    await server.say('owner', 'public', 'other')
    const id = await server.say('owner', 'public', 'wanted')
    const events = await drain(server, 'member', queueId)
    assert.deepEqual(said(events), [`message ${id}`])
  })

  test('that has all public channels gets the messages of those', async () => {
    const queueId = await register(server, 'outsider', {
      event_types: ['message'],
      all_public_streams: true,
    })
    server.clock.advance(away)
    const id = await server.say('owner', 'public')
    await server.say('owner', 'private')
    assert.deepEqual(said(await drain(server, 'outsider', queueId)), [`message ${id}`])
  })

  test('that sends a message recognises it', async () => {
    const queueId = await register(server, 'member', { event_types: ['message'] })
    server.clock.advance(away)
    const before = await server.say('owner', 'public')
    const to = server.channels.public
    const form = { type: 'channel', to, topic: 'own', content: 'mine', queue_id: queueId }
    const { id } = await server
      .as('member')
      .post<{ id: number }>('/messages', { ...form, local_id: '7.1' })
    const events = await drain(server, 'member', queueId)
    assert.deepEqual(said(events), [`message ${before}`, `message ${id}`])
    assert.equal(events[1]?.local_message_id, '7.1')
  })
})

test('a restart changes no ID of what a client missed, whatever it had already got of it', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-'))
  after(() => rmSync(data, { recursive: true }))
  const first = await startServer({ data })
  await first.say('owner', 'public')
  const queueId = await register(first, 'member')
  first.clock.advance(away)
  const expected: string[] = []
  for (let i = 0; i < 3; i++) {
    expected.push(`message ${await first.say('owner', 'public')}`, 'user_status')
    await first.as('owner').post('/users/me/status', { status_text: `${i}` })
  }
  const got = (await poll(first, 'member', queueId)).slice(0, 3)
  assert.deepEqual(said(got), expected.slice(0, 3))
  await first.close()

  const second = await startServer({ data })
  after(second.close)
  expected.push(`message ${await second.say('owner', 'public')}`)
  const rest = await drain(second, 'member', queueId, got.at(-1)?.id)
  const [greeting] = rest.splice(-1)
  assert.equal(greeting?.type, 'restart')
  assert.deepEqual(said(rest), expected.slice(3))
  requireAscending([...got, ...rest])
})

test('a user whose clients have all been away for long does not count as listening after a restart', async () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-'))
  after(() => rmSync(data, { recursive: true }))
  const first = await startServer({ data })
  await register(first, 'member')
  await register(first, 'owner')
  first.clock.advance(11 * 60_000)
  const present = await register(first, 'owner')
  const listening = ({ server: { context }, ids: { member, owner } }: TestServer) =>
    [member, owner].map((id) => context.queues.isListening(id))
  assert.deepEqual(listening(first), [false, true])
  await first.close()
  const second = await startServer({ data })
  after(second.close)
  assert.deepEqual(listening(second), [false, true])
  await drain(second, 'owner', present)
})
