import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { ApiError } from '#platform/errors.ts'
import { createJournal } from '#platform/events/journal.ts'
import {
  createQueues,
  type LiveQueue,
  type Queue,
  type QueueOptions,
  type QueueRequest,
} from '#platform/events/queues.ts'
import { openDatabase } from '#platform/store/open.ts'
import type { Store } from '#platform/store/store.ts'
import { createStore } from '#platform/store/write.ts'

const clock = manualClock(0)
const asked = (userId: number): QueueRequest => ({
  userId,
  client: 'test',
  applyMarkdown: true,
  slimPresence: false,
  includeSubscribers: 'false',
  capabilities: [],
  eventTypes: null,
  narrow: [],
  allPublicChannels: false,
  lifespanSeconds: 600,
})

/** A server with the queues that the database holds: the same one again, as after a crash. */
async function start(db = openDatabase(':memory:'), options: Partial<QueueOptions> = {}) {
  const queues = createQueues({
    clock,
    heartbeatSeconds: 50,
    matcher: () => () => true,
    journal: createJournal<LiveQueue>(clock, () => store.write(() => {})),
    ...options,
  })
  const store: Store = createStore(db, clock, defaultConfig, queues)
  const problems = await store.write((tx) => queues.restore(tx))
  return { db, queues, store, problems }
}

type Running = Awaited<ReturnType<typeof start>>

async function open({ queues }: Running, userId: number): Promise<Queue> {
  const queue = queues.open(asked(userId))
  await queues.stored()
  return queue
}

const emit = ({ store }: Running, text: string, users: number[]) =>
  store.write((tx) => tx.emit({ type: 'test', text } as never, users))

interface Event {
  readonly id: number
  readonly text?: string
}

const unread = ({ queues }: Running, queue: Queue, last = -1): Event[] =>
  JSON.parse(queues.read(queue, last) ?? '[]')
const texts = (events: readonly Event[]) => events.map(({ text }) => text)

function isOpen({ queues }: Running, { userId, id }: Queue): boolean {
  try {
    return queues.access(userId, id).id === id
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'BAD_EVENT_QUEUE_ID')
    return false
  }
}

const rows = ({ db }: Running) =>
  db.$client.prepare('SELECT json FROM queued_events ORDER BY id').pluck().all().length

/** Waits until what the clients acknowledged is stored as well. */
async function settle(server: Running): Promise<void> {
  clock.advance(10_000)
  await server.store.write(() => {})
}

test('a crash leaves each queue the events that it held, with the same IDs', async () => {
  const before = await start()
  const [first, second] = [await open(before, 1), await open(before, 2)]
  await emit(before, 'both', [1, 2])
  await emit(before, 'one', [1])
  before.queues.dispatch({ type: 'passing' }, [1, 2])
  await emit(before, 'late', [1, 2])
  const held = [unread(before, first), unread(before, second)]

  const after = await start(before.db)
  for (const [i, queue] of [first, second].entries()) {
    const lasting = held[i]?.filter((event) => event.text)
    assert.deepEqual(unread(after, queue), lasting)
  }
})

test('the IDs of new events are larger than any that a client can have seen before the crash', async () => {
  let server = await start()
  const queue = await open(server, 1)
  let last = -1
  for (let crash = 0; crash < 5; crash++) {
    for (let i = 0; i < 10; i++) server.queues.dispatch({ type: 'passing' }, [1])
    const seen = unread(server, queue, last).at(-1)?.id ?? last
    assert.ok(seen > last)
    server = await start(server.db)
    await emit(server, `after ${crash}`, [1])
    const events = unread(server, queue, seen)
    assert.deepEqual(texts(events), [`after ${crash}`])
    last = events[0]?.id ?? -1
  }
})

test('a clean end leaves no gap in the IDs', async () => {
  const before = await start()
  const queue = await open(before, 1)
  await emit(before, 'a', [1])
  unread(before, queue, 0)
  await before.store.write((tx) => before.queues.recordEnd(tx))
  const after = await start(before.db)
  await emit(after, 'b', [1])
  assert.deepEqual(unread(after, queue, 0), [{ id: 1, type: 'test', text: 'b' }])
})

test('what a client has acknowledged does not come again', async () => {
  const before = await start()
  const [queue, idle] = [await open(before, 1), await open(before, 2)]
  await emit(before, 'a', [1, 2])
  await emit(before, 'b', [1, 2])
  unread(before, queue, 0)
  await settle(before)
  const after = await start(before.db)
  assert.deepEqual(texts(unread(after, queue)), ['b'])
  assert.deepEqual(texts(unread(after, idle)), ['a', 'b'])
})

test('what a client has acknowledged does not come again after a crash if it is much, though nothing was written since', async () => {
  const before = await start()
  const queue = await open(before, 1)
  for (let i = 0; i < 3; i++) await emit(before, `${i} ${'long '.repeat(150_000)}`, [1])
  unread(before, queue, 0)
  unread(before, queue, 1)
  // No more than a turn of the event loop passes.
  await new Promise((next) => setImmediate(() => setImmediate(next)))
  const after = await start(before.db)
  assert.deepEqual(
    unread(after, queue).map(({ id }) => id),
    [2],
  )
})

test('events are deleted once every client has them', async () => {
  const server = await start()
  const queues = [await open(server, 1), await open(server, 2)]
  for (let i = 0; i < 5; i++) await emit(server, `event ${i}`, [1, 2])
  await emit(server, 'nobody gets it', [3])
  assert.equal(rows(server), 5)
  for (const queue of queues) unread(server, queue, 3)
  await settle(server)
  assert.equal(rows(server), 1)
  for (const queue of queues) server.queues.close(queue)
  await settle(server)
  assert.equal(rows(server), 0)
})

test('a write that fails leaves no event behind, and those after it come', async () => {
  const before = await start()
  const queue = await open(before, 1)
  const results = await Promise.allSettled([
    emit(before, 'lost with its group', [1]),
    before.store.write((tx) =>
      tx.beforeCommit(() => {
        throw new Error('No.')
      }),
    ),
  ])
  assert.ok(results.every(({ status }) => status === 'rejected'))
  await assert.rejects(
    before.store.write((tx) => {
      tx.emit({ type: 'test', text: 'lost' } as never, [1])
      throw new Error('No.')
    }),
  )
  await emit(before, 'kept', [1])
  assert.deepEqual(texts(unread(before, queue)), ['kept'])
  const after = await start(before.db)
  assert.deepEqual(texts(unread(after, queue)), ['kept'])
})

test('a queue that was opened while the disk was full is stored with the next write', async () => {
  const before = await start()
  const queue = before.queues.open(asked(1))
  const failing = before.store.write((tx) =>
    tx.beforeCommit(() => {
      throw new Error('The disk is full.')
    }),
  )
  await Promise.allSettled([failing, before.queues.stored()])
  await emit(before, 'a', [1])
  assert.deepEqual(texts(unread(await start(before.db), queue)), ['a'])
})

describe('after a crash, a queue stays closed', () => {
  test('if its client closed it', async () => {
    const before = await start()
    const queue = await open(before, 1)
    before.queues.close(queue)
    await before.queues.stored()
    assert.equal(isOpen(await start(before.db), queue), false)
  })

  test('if a write closed the queues of its user, in that same write', async () => {
    const before = await start()
    const [closed, kept] = [await open(before, 1), await open(before, 1)]
    const others = await open(before, 2)
    const isStoredTogether = await before.store.write((tx) => {
      before.queues.closeAllOf(tx, 1)
      tx.emit({ type: 'test', text: 'secret' } as never, [1])
      return before.db.$client.prepare('SELECT count(*) FROM event_queues').pluck().get() === 1
    })
    assert.ok(isStoredTogether)
    const after = await start(before.db)
    assert.deepEqual(
      [closed, kept, others].map((queue) => isOpen(after, queue)),
      [false, false, true],
    )
  })

  test('unless the write that closed it was undone', async () => {
    const before = await start()
    const queue = await open(before, 1)
    await assert.rejects(
      before.store.write((tx) => {
        before.queues.closeAllOf(tx, 1)
        throw new Error('No.')
      }),
    )
    assert.ok(isOpen(await start(before.db), queue))
  })

  test('if it held too much: the events that it missed are stored after its end', async () => {
    const before = await start()
    const [idle, polled] = [await open(before, 1), await open(before, 2)]
    const large = 'x'.repeat(1024 * 1024)
    for (let last = -1; isOpen(before, idle); last++) {
      await emit(before, large, [1, 2])
      unread(before, polled, last)
    }
    await emit(before, 'missed', [1, 2])
    const after = await start(before.db)
    assert.deepEqual([isOpen(after, idle), isOpen(after, polled)], [false, true])
  })

  test('if who opened it may not use it anymore, or its narrow is not accepted', async () => {
    const before = await start()
    const [gone, refused, good] = [
      await open(before, 1),
      await open(before, 2),
      await open(before, 3),
    ]
    const after = await start(before.db, {
      mayUse: (_read, { userId }) => userId !== 1,
      matcher({ userId }) {
        if (userId === 2) throw new ApiError('BAD_NARROW', 'no')
        return () => true
      },
    })
    assert.deepEqual(
      [gone, refused, good].map((queue) => isOpen(after, queue)),
      [false, false, true],
    )
    assert.deepEqual(after.problems, [])
  })
})

test('a new queue gets no event of one whose row is gone', async () => {
  const before = await start()
  const [closed, other] = [await open(before, 1), await open(before, 2)]
  await emit(before, 'a secret', [1, 2])
  before.db.$client.prepare('DELETE FROM event_queues WHERE id = ?').run(closed.id)
  before.db.$client.prepare('DELETE FROM event_queues WHERE id = ?').run(other.id)
  const middle = await start(before.db)
  const stranger = await open(middle, 3)
  const after = await start(before.db)
  assert.deepEqual(unread(after, stranger), [])
})
