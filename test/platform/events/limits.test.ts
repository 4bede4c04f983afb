import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Clock, manualClock } from '#platform/clock.ts'
import { ApiError } from '#platform/errors.ts'
import { type QueueLimits, queueLimits } from '#platform/events/limits.ts'
import { createQueues, type Queue, type QueueRequest } from '#platform/events/queues.ts'

const kib = 1024

const small: QueueLimits = {
  perUser: 3,
  queueBytes: 64 * kib,
  userBytes: 128 * kib,
  totalBytes: 512 * kib,
  replyBytes: 16 * kib,
}

function setUp(limits: QueueLimits = small) {
  const clock = manualClock(0)
  const matcher = () => () => true
  return { clock, queues: createQueues({ clock, heartbeatSeconds: 50, matcher, limits }) }
}

const asked = (userId: number, changes: Partial<QueueRequest> = {}): QueueRequest => ({
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
  ...changes,
})

/** An event of about that many bytes. */
const event = (bytes: number) => ({ type: 'test', text: 'x'.repeat(bytes) })
const ids = (list: string | undefined) =>
  (JSON.parse(list ?? '[]') as { id: number }[]).map(({ id }) => id)

type Set = ReturnType<typeof setUp>['queues']
const isOpen = (queues: Set, { userId, id }: Queue) => {
  try {
    return queues.access(userId, id).id === id
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.deepEqual([error.code, error.extra], ['BAD_EVENT_QUEUE_ID', { queue_id: id }])
    return false
  }
}

describe('a queue that nobody polls', () => {
  for (const lifespanSeconds of [1, 15, 600, 7 * 86_400]) {
    test(`with a lifespan of ${lifespanSeconds} s is closed within ten seconds after it`, () => {
      const { clock, queues } = setUp()
      const queue = queues.open(asked(1, { lifespanSeconds }))
      clock.advance(lifespanSeconds * 1000)
      assert.ok(isOpen(queues, queue))
      clock.advance(10_000)
      assert.equal(isOpen(queues, queue), false)
    })
  }

  test('is looked at only when something is due for it, and not at all once it is closed', () => {
    const clock = manualClock(0)
    let timers = 0
    const counting: Clock = {
      ...clock,
      after(ms, fn) {
        timers += 1
        return clock.after(ms, fn)
      },
    }
    const queues = createQueues({
      clock: counting,
      heartbeatSeconds: 50,
      matcher: () => () => true,
    })
    clock.advance(86_400_000)
    assert.equal(timers, 0)
    queues.open(asked(1, { lifespanSeconds: 7 * 86_400 }))
    clock.advance(30 * 86_400_000)
    // One at first, one at which its user counts as gone, one at which it expires.
    assert.equal(timers, 3)
  })
})

test('an event that comes between the look and the wait answers the poll', () => {
  const { queues } = setUp()
  const queue = queues.open(asked(1))
  assert.equal(queues.read(queue, -1), undefined)
  queues.dispatch(event(10), [1])
  const answers: string[] = []
  queues.park(queue, { reply: (events) => answers.push(events), fail: assert.fail })
  assert.deepEqual(answers.map(ids), [[0]])
})

describe('a stream whose client falls behind', () => {
  /** A reader that takes so many records, and what it was sent. */
  function readerOf(queues: Set, queue: Queue, most: number) {
    const sent: number[] = []
    let isOver = false
    let left = most
    const followed = queues.follow(queue, -1, {
      send(events) {
        sent.push(...ids(events))
        left -= 1
        return left > 0
      },
      beat: () => sent.push(-1),
      end: () => {
        isOver = true
      },
      fail: assert.fail,
    })
    return { sent, followed, isOver: () => isOver }
  }

  const turn = () => new Promise((resolve) => setImmediate(resolve))

  test('is sent no more until it has read, and misses nothing then', async () => {
    const { clock, queues } = setUp({ ...small, queueBytes: 1024 * kib, userBytes: 1024 * kib })
    const queue = queues.open(asked(1))
    const { sent, followed } = readerOf(queues, queue, 1)
    for (let i = 0; i < 9; i++) queues.dispatch(event(30 * kib), [1])
    await turn()
    assert.deepEqual(sent, [0, 1], 'as much as one piece')
    clock.advance(100_000)
    assert.deepEqual(sent, [0, 1], 'no sign of life, either, which would keep the connection open')
    followed.resume()
    assert.deepEqual(sent, [0, 1, 2, 3])
  })

  test('loses its queue once that is too large, and is told so', async () => {
    const { queues } = setUp()
    const queue = queues.open(asked(1))
    const failures: string[] = []
    queues.follow(queue, -1, {
      send: () => false,
      beat() {},
      end: assert.fail,
      fail: ({ code }) => void failures.push(code),
    })
    for (let i = 0; i < 4; i++) {
      queues.dispatch(event(20 * kib), [1])
      await turn()
    }
    assert.deepEqual(failures, ['BAD_EVENT_QUEUE_ID'])
    assert.equal(queues.size().parked, 0)
  })

  test('waits beyond a mebibyte for one that acknowledges, and goes on with what it lacks', async () => {
    const { queues } = setUp(queueLimits)
    const queue = queues.open(asked(1))
    const { sent, isOver } = readerOf(queues, queue, Number.POSITIVE_INFINITY)
    const come = async (count: number) => {
      for (let i = 0; i < count; i++) queues.dispatch(event(200 * kib), [1])
      await turn()
    }
    await come(1)
    queues.acknowledge(queue, 0)
    await come(9)
    assert.deepEqual(sent, [0, 1, 2, 3, 4, 5, 6], 'no more than it may leave')
    queues.acknowledge(queue, 4)
    assert.deepEqual(sent, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    assert.equal(isOver(), false)
  })

  test('is sent a mebibyte, and ends if it acknowledges none of it within ten seconds', async () => {
    const { clock, queues } = setUp(queueLimits)
    const queue = queues.open(asked(1))
    const { sent, isOver } = readerOf(queues, queue, Number.POSITIVE_INFINITY)
    const come = async (count: number) => {
      for (let i = 0; i < count; i++) queues.dispatch(event(200 * kib), [1])
      await turn()
    }
    await come(9)
    clock.advance(9000)
    await come(1)
    assert.equal(isOver(), false)
    clock.advance(2000)
    await come(1)
    assert.equal(isOver(), true)
    assert.deepEqual(sent, [0, 1, 2, 3, 4, 5])
    assert.equal(ids(queues.read(queue, 5))[0], 6, 'nothing is lost')
  })

  test('ends without a further event as well', async () => {
    const { clock, queues } = setUp(queueLimits)
    const queue = queues.open(asked(1))
    const { isOver } = readerOf(queues, queue, Number.POSITIVE_INFINITY)
    for (let i = 0; i < 7; i++) queues.dispatch(event(200 * kib), [1])
    await turn()
    clock.advance(30_000)
    assert.equal(isOver(), true)
  })

  test('never ends for one that acknowledges in time, however many events come', async () => {
    const { queues } = setUp(queueLimits)
    const queue = queues.open(asked(1))
    const { sent, isOver } = readerOf(queues, queue, Number.POSITIVE_INFINITY)
    for (let i = 0; i < 5000; i++) {
      queues.dispatch(event(1500), [1])
      if (i % 100 === 99) await turn()
      if (i % 200 === 199) queues.acknowledge(queue, i - 50)
    }
    await turn()
    assert.deepEqual(
      sent,
      Array.from({ length: 5000 }, (_, id) => id),
    )
    assert.equal(isOver(), false)
  })
})

describe('an account with the most queues opens one more', () => {
  test('the one that was not polled for longest goes', () => {
    const { clock, queues } = setUp()
    const [first, second, third] = [1, 1, 1].map((user) => queues.open(asked(user)))
    const other = queues.open(asked(2))
    assert.ok(first && second && third)
    clock.advance(1000)
    queues.read(first, -1)
    queues.read(third, -1)
    const fourth = queues.open(asked(1))
    assert.deepEqual(
      [first, second, third, fourth, other].map((queue) => isOpen(queues, queue)),
      [true, false, true, true, true],
    )
  })

  test('a queue that someone waits for goes last, and its poll is told', () => {
    const { clock, queues } = setUp()
    const parked = Array.from({ length: 3 }, () => queues.open(asked(1)))
    const failed: string[] = []
    for (const queue of parked) {
      clock.advance(1000)
      queues.park(queue, { reply: assert.fail, fail: ({ code }) => failed.push(code) })
    }
    queues.open(asked(1))
    assert.deepEqual(failed, ['BAD_EVENT_QUEUE_ID'])
    queues.open(asked(1))
    assert.equal(failed.length, 1, 'the idle one went')
  })

  test('unless the narrow of the new one is refused', () => {
    const clock = manualClock(0)
    let isRefusing = false
    const queues = createQueues({
      clock,
      heartbeatSeconds: 50,
      limits: small,
      matcher() {
        if (isRefusing) throw new ApiError('BAD_NARROW', 'no')
        return () => true
      },
    })
    const own = Array.from({ length: 3 }, () => queues.open(asked(1)))
    isRefusing = true
    assert.throws(() => queues.open(asked(1)), ApiError)
    assert.ok(own.every((queue) => isOpen(queues, queue)))
  })
})

describe('unread events', () => {
  test('close a queue that would exceed its bytes, and no other', () => {
    const { queues } = setUp()
    const [idle, polled] = [queues.open(asked(1)), queues.open(asked(2))]
    for (let id = 0; id < 10; id++) {
      queues.dispatch(event(10 * kib), [1, 2])
      assert.deepEqual(ids(queues.read(polled, id - 1)), [id])
    }
    assert.deepEqual([isOpen(queues, idle), isOpen(queues, polled)], [false, true])
  })

  test('count by what they take in memory: two bytes a letter beyond Latin', () => {
    const { queues } = setUp()
    const queue = queues.open(asked(1))
    queues.dispatch({ type: 'test', text: 'ж'.repeat(40 * kib) } as never, [1])
    assert.equal(isOpen(queues, queue), false)
  })

  test('close the heaviest queue of an account that exceeds its bytes', () => {
    const { queues } = setUp()
    const [light, heavy] = [queues.open(asked(1, { eventTypes: ['light'] })), queues.open(asked(1))]
    queues.dispatch(event(50 * kib), [1])
    const other = queues.open(asked(1))
    queues.dispatch({ ...event(20 * kib), type: 'light' }, [1])
    assert.equal(isOpen(queues, heavy), false)
    assert.deepEqual([isOpen(queues, light), isOpen(queues, other)], [true, true])
  })

  test('are answered in pages, each event once, and a large one by itself', () => {
    const { queues } = setUp()
    const queue = queues.open(asked(1))
    for (const bytes of [10 * kib, 5 * kib, 20 * kib, 100]) queues.dispatch(event(bytes), [1])
    const pages: number[][] = []
    for (let last = -1; last < 3; last = pages.at(-1)?.at(-1) ?? 3) {
      pages.push(ids(queues.read(queue, last)))
    }
    assert.deepEqual(pages, [[0, 1], [2], [3]])
  })

  test('free their memory when they are acknowledged', () => {
    const { queues } = setUp()
    const queue = queues.open(asked(1))
    for (let last = -1; last < 1000; last++) {
      queues.dispatch(event(10 * kib), [1])
      assert.deepEqual(ids(queues.read(queue, last)), [last + 1])
    }
  })
})

describe('all queues together', () => {
  test('exceed their bytes: those of the account that takes most go', () => {
    const { queues } = setUp({ ...small, perUser: 50, queueBytes: 400 * kib, userBytes: 900 * kib })
    const own = Array.from({ length: 3 }, (_, i) =>
      queues.open(asked(1, { eventTypes: [`own ${i}`] })),
    )
    // Bystanders hold much, but share it.
    const bystanders = Array.from({ length: 40 }, (_, i) => queues.open(asked(10 + i)))
    const everybody = bystanders.map(({ userId }) => userId)
    for (let i = 0; i < 5; i++) queues.dispatch(event(20 * kib), everybody)
    for (let i = 0; i < 30; i++) queues.dispatch({ ...event(9 * kib), type: `own ${i % 3}` }, [1])
    for (let i = 0; i < 5; i++) queues.dispatch(event(9 * kib), everybody)
    assert.ok(bystanders.every((queue) => isOpen(queues, queue)))
    assert.ok(own.some((queue) => !isOpen(queues, queue)))
  })

  test('are bounded in number by what an empty one takes', () => {
    const { queues } = setUp()
    const all = Array.from({ length: 2000 }, (_, i) => queues.open(asked(i)))
    const open = all.filter((queue) => isOpen(queues, queue)).length
    assert.ok(open > 50 && open < 512 / 2, String(open))
  })
})

test('the limits of a server leave room for one account beside everyone else', () => {
  const { queueBytes, userBytes, totalBytes } = queueLimits
  assert.ok(queueBytes <= userBytes && userBytes <= totalBytes / 4)
})
