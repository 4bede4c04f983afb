import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { manualClock, seconds } from '#platform/clock.ts'
import { type Job, startJobs } from '#platform/jobs/jobs.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import { openContext } from '#program/context.ts'

const start = 1_000_000

/** A server without its HTTP side, whose one job is due at the times in `due`, in seconds. */
function open(due: number[], run: (now: number) => Promise<void> = async () => {}) {
  const clock = manualClock(start * 1000)
  const config = { logLevel: 'silent' }
  const server = openContext({ data: ':memory:', clock, config }, ':memory:')
  const ran: number[] = []
  const job: Job = {
    name: 'a test',
    dueAt: () => due[0],
    async run() {
      ran.push(seconds(clock) - start)
      await run(seconds(clock))
      while ((due[0] ?? Number.POSITIVE_INFINITY) <= seconds(clock)) due.shift()
    },
  }
  return { clock, server, ran, job, jobs: startJobs(server, [job]) }
}

test('what fell due while the server was stopped is done at once', async () => {
  const { ran, jobs } = open([start - 500])
  await jobs.settled()
  assert.deepEqual(ran, [0])
})

test('a job runs when it is due, and not before', async () => {
  const { clock, ran, jobs } = open([start + 10, start + 25])
  for (let i = 0; i < 40; i++) {
    clock.advance(1000)
    await jobs.settled()
  }
  assert.deepEqual(ran, [10, 25])
})

test('what becomes due earlier is seen when its write is committed', async () => {
  const due = [start + 1000]
  const { server, ran, jobs } = open(due)
  await server.store.write((tx) => {
    due.unshift(start)
    wakeJobs(tx)
    assert.deepEqual(ran, [])
  })
  await jobs.settled()
  assert.deepEqual(ran, [0])
})

test('a write that fails wakes nobody', async () => {
  const due: number[] = []
  const { server, ran, jobs } = open(due)
  const failed = server.store.write((tx) => {
    due.push(start)
    wakeJobs(tx)
    throw new Error('No.')
  })
  await assert.rejects(failed, /No\./)
  await jobs.settled()
  assert.deepEqual(ran, [])
})

test('a job that fails is tried again a minute later', async () => {
  let failures = 2
  const { clock, ran, jobs } = open([start], async () => {
    if (failures-- > 0) throw new Error('Not now.')
  })
  for (let i = 0; i < 200; i++) {
    await jobs.settled()
    clock.advance(1000)
  }
  assert.deepEqual(ran, [0, 60, 120])
})

test('a job never runs twice at the same time', async () => {
  let finish = () => {}
  const { clock, server, ran, jobs } = open(
    [start],
    () =>
      new Promise<void>((done) => {
        finish = done
      }),
  )
  clock.advance(1000)
  await server.store.write(wakeJobs)
  assert.deepEqual(ran, [0])
  finish()
  await jobs.settled()
  assert.deepEqual(ran, [0])
})

test('a stop waits for what runs, and nothing starts after it', async () => {
  const order: string[] = []
  const { clock, server, job, jobs } = open([start, start + 60], async () => {
    await setImmediate()
    await server.store.write(() => void order.push('ran'))
  })
  await jobs.stop()
  order.push('stopped')
  clock.advance(3600 * 1000)
  await server.store.write(wakeJobs)
  assert.deepEqual(order, ['ran', 'stopped'])
  assert.equal(job.dueAt(server.store), start + 60)
})
