import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createFairQueue, NoLongerWanted, TooManyWaiting } from '#platform/fairness/fair-queue.ts'

const limits = { running: 3, runningPerClient: 2, waiting: 10, waitingPerClient: 6 }

/** Work that ends when the test says so, and notes that it started. */
function desk() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    work: (client: string, name: string) => ({
      client,
      run() {
        started.push(name)
        return new Promise<string>((done) => void ends.set(name, () => done(name)))
      },
    }),
    async end(name: string) {
      ends.get(name)?.()
      await nextTurn()
    },
  }
}

describe('a fair queue', () => {
  test('gives no client all that may be under way', async () => {
    const queue = createFairQueue(limits)
    const { started, work, end } = desk()
    for (let i = 0; i < 6; i++) void queue.run(work('hog', `hog${i}`))
    void queue.run(work('other', 'other'))
    assert.deepEqual(started, ['hog0', 'hog1', 'other'])
    for (let i = 0; i < 3; i++) void queue.run(work('third', `third${i}`))
    await end('other')
    assert.deepEqual(started.slice(3), ['third0'], 'it has nothing under way')
    await end('hog0')
    assert.deepEqual(started.slice(4), ['hog2'], 'both have one, and the hog has waited longer')
    await end('third0')
    assert.deepEqual(started.slice(5), ['third1'], 'the hog has its share')
  })

  test('starts the work of whoever has less under way', async () => {
    const queue = createFairQueue({ ...limits, running: 2 })
    const { started, work, end } = desk()
    for (let i = 0; i < 4; i++) void queue.run(work('hog', `hog${i}`))
    void queue.run(work('other', 'other'))
    await end('hog0')
    assert.deepEqual(started, ['hog0', 'hog1', 'other'])
  })

  test('takes turns between clients, and keeps the order within each', async () => {
    const queue = createFairQueue({ waitingPerClient: 10 })
    const { started, work, end } = desk()
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']
    const done = names.map((name) => queue.run(work(name.slice(0, 1), name)))
    for (let i = 0; i < names.length; i++) await end(started[i] ?? '')
    assert.deepEqual(started, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
    assert.deepEqual(await Promise.all(done), names)
  })

  test('lets nobody pass those who wait by leaving and coming back', async () => {
    const queue = createFairQueue({ waitingPerClient: 10 })
    const { started, work, end } = desk()
    void queue.run(work('x', 'x1'))
    for (const name of ['b1', 'b2', 'b3']) void queue.run(work('b', name))
    for (let i = 0; i < 9; i++) {
      // Two take turns in coming with one piece each time the other is being served.
      void queue.run(work(i % 2 ? 'x' : 'y', `new${i}`))
      await end(started.at(-1) ?? '')
    }
    const places = ['b1', 'b2', 'b3'].map((name) => started.indexOf(name))
    assert.ok(
      places.every((place) => place > 0),
      started.join(),
    )
  })

  test('refuses more than may wait, of a client and in all', async () => {
    const queue = createFairQueue({ ...limits, running: 1, runningPerClient: 1 })
    const { work } = desk()
    for (let i = 0; i < 7; i++) void queue.run(work('hog', `hog${i}`))
    await assert.rejects(queue.run(work('hog', 'more')), TooManyWaiting)
    for (let i = 0; i < 4; i++) void queue.run(work('other', `other${i}`))
    await assert.rejects(queue.run(work('third', 'late')), TooManyWaiting)
  })

  test('refuses work that would cost more than may wait, but never what is unlimited', async () => {
    const queue = createFairQueue({ waitingPerClient: 10, waitingCost: 100 })
    const { work } = desk()
    void queue.run({ ...work('one', 'running'), cost: 100 })
    void queue.run({ ...work('one', 'waiting'), cost: 60 })
    await assert.rejects(queue.run({ ...work('one', 'more'), cost: 41 }), TooManyWaiting)
    void queue.run({ ...work('one', 'fits'), cost: 40 })
    void queue.run({ ...work('one', 'job'), cost: 1000, isUnlimited: true })
    void queue.run({ ...work('two', 'other'), cost: 100 })
  })

  test('forgets work that nobody wants anymore, and has its room again', async () => {
    const queue = createFairQueue({ waitingPerClient: 2, waitingCost: 100 })
    const { started, work, end } = desk()
    const first = queue.run(work('one', 'first'))
    for (let round = 0; round < 100; round++) {
      const gone = new AbortController()
      const waiting = queue.run({ ...work('one', 'gone'), cost: 100, signal: gone.signal })
      gone.abort()
      await assert.rejects(waiting, NoLongerWanted)
      await assert.rejects(
        queue.run({ ...work('one', 'late'), signal: gone.signal }),
        NoLongerWanted,
      )
    }
    const last = queue.run({ ...work('one', 'last'), cost: 100 })
    await end('first')
    await end('last')
    assert.deepEqual(await Promise.all([first, last]), ['first', 'last'])
    assert.deepEqual(started, ['first', 'last'])
  })

  test('goes on after work that failed', async () => {
    const queue = createFairQueue({ waitingPerClient: 10 })
    const fails = queue.run({ client: 'one', run: () => Promise.reject(new Error('no')) })
    const works = queue.run({ client: 'one', run: () => Promise.resolve('yes') })
    await assert.rejects(fails, /no/)
    assert.equal(await works, 'yes')
  })
})
