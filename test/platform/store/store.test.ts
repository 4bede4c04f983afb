import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eq } from 'drizzle-orm'
import { manualClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { type Body, createBody } from '#platform/events/bodies.ts'
import type { ServerEvent } from '#platform/events/types.ts'
import { cached } from '#platform/store/cached.ts'
import { openDatabase } from '#platform/store/open.ts'
import { realmDomains } from '#platform/store/schema.ts'
import type { Tx } from '#platform/store/store.ts'
import { createStore } from '#platform/store/write.ts'

function openStore() {
  const dispatched: [string, readonly number[] | ((userId: number) => boolean)][] = []
  const emissions = new Map<Body, (typeof dispatched)[number]>()
  const clock = manualClock(0)
  const store = createStore(openDatabase(':memory:'), clock, defaultConfig, {
    place(event, audience) {
      const body = createBody(event)
      emissions.set(body, [event.type, audience])
      return [{ body, queues: [], ids: [] }]
    },
    record: () => () => {},
    deliver(placed) {
      for (const { body } of placed) dispatched.push(emissions.get(body) ?? assert.fail())
    },
    liveUsers: () => new Set([1, 2, 3]),
    reachedBy: () => new Set([1, 2, 3]),
    isListening: () => false,
  })
  const add = (tx: Tx, domain: string) => {
    tx.db.insert(realmDomains).values({ domain }).run()
    tx.emit({ type: domain } satisfies ServerEvent, [1])
  }
  const domains = () =>
    store.db
      .select()
      .from(realmDomains)
      .all()
      .map(({ domain }) => domain)
  return { clock, store, add, domains, dispatched, emissions }
}

describe('a cached value', () => {
  /** How often each domain was looked for, and whether it is there. */
  function openCache() {
    const { store, add } = openStore()
    let loads = 0
    const known = cached((read, domain: string) => {
      loads += 1
      const { length } = read.db
        .select()
        .from(realmDomains)
        .where(eq(realmDomains.domain, domain))
        .all()
      return length > 0
    })
    const addKnown = (tx: Tx, domain: string) => {
      add(tx, domain)
      known.forget(tx, domain)
    }
    return { store, known, addKnown, loads: () => loads }
  }

  test('is read once, also in the writes after the one that changed it', async () => {
    const { store, known, addKnown, loads } = openCache()
    await store.write((tx) => addKnown(tx, 'a'))
    for (let i = 0; i < 3; i++) assert.ok(await store.write((tx) => known.get(tx, 'a')))
    assert.equal(loads(), 1)
  })

  test('is not kept from a write that is undone', async () => {
    const { store, known, addKnown } = openCache()
    const undone = store.write((tx) => {
      addKnown(tx, 'a')
      assert.ok(known.get(tx, 'a'))
      throw new Error('no')
    })
    const next = store.write((tx) => known.get(tx, 'a'))
    await assert.rejects(undone)
    assert.equal(await next, false)
    assert.equal(known.get(store, 'a'), false)
    await store.write((tx) => addKnown(tx, 'a'))
    assert.equal(known.get(store, 'a'), true)
  })

  test('is read with others that are not known, in the order of their keys', async () => {
    const { store } = openCache()
    const lengths = cached((_, key: string) => key.length)
    const asked: (readonly string[])[] = []
    const list = (...keys: string[]) =>
      lengths.list(store, keys, (_, missing) => {
        asked.push(missing)
        return missing.filter((key) => key !== 'none').map((key) => [key, key.length])
      })
    assert.equal(lengths.get(store, 'bb'), 2)
    assert.deepEqual(list('ccc', 'bb', 'none', 'a'), [3, 2, 1])
    assert.deepEqual(list('a', 'bb', 'ccc'), [1, 2, 3])
    await store.write((tx) => lengths.forget(tx, 'bb'))
    assert.deepEqual(list('a', 'bb'), [1, 2])
    assert.deepEqual(asked, [['ccc', 'none', 'a'], ['bb']])
  })

  test('is not kept from a list that is read in a write that is undone', async () => {
    const { store, known, addKnown } = openCache()
    const undone = store.write((tx) => {
      addKnown(tx, 'a')
      assert.deepEqual(
        known.list(tx, ['a', 'b'], (_, keys) => keys.map((key) => [key, key === 'a'])),
        [true, false],
      )
      throw new Error('no')
    })
    const next = store.write((tx) => known.get(tx, 'a'))
    await assert.rejects(undone)
    assert.equal(await next, false)
  })
})

describe('a group of writes', () => {
  test('commits together, in order, and tells of it afterwards', async () => {
    const { store, add, domains, dispatched } = openStore()
    const first = store.write((tx) => add(tx, 'a'))
    const second = store.write((tx) => add(tx, 'b'))
    assert.deepEqual(domains(), [])
    await Promise.all([first, second])
    assert.deepEqual(domains(), ['a', 'b'])
    assert.deepEqual(
      dispatched.map(([type]) => type),
      ['a', 'b'],
    )
  })

  test('gathers the writes of further turns of the event loop as long as they come', async () => {
    const { store, add } = openStore()
    const groups: string[][] = []
    const begin = () => void groups.push([])
    const send = (domain: string) =>
      store.write((tx) => {
        tx.beforeCommit(begin)
        add(tx, domain)
        tx.afterCommit(() => void groups.at(-1)?.push(domain))
      })
    const all = [send('a'), send('b')]
    // After the first turn, in which nothing was committed because two have come.
    await new Promise(setImmediate)
    all.push(send('c'))
    await Promise.all(all)
    await send('d')
    assert.deepEqual(groups, [['a', 'b', 'c'], ['d']])
  })

  test('does not let a write wait that comes alone', async () => {
    const { store, add, domains } = openStore()
    const write = store.write((tx) => add(tx, 'alone'))
    await new Promise(setImmediate)
    assert.deepEqual(domains(), ['alone'])
    await write
  })

  test('holds no more than takes long: others have their turn before the rest', async () => {
    const { clock, store, add, domains } = openStore()
    const order: string[] = []
    const slow = (name: string) =>
      store.write((tx) => {
        clock.advance(20)
        add(tx, name)
        order.push(name)
        if (name === 'a') setImmediate(() => order.push('somebody else'))
      })
    await Promise.all([slow('a'), slow('b')])
    assert.deepEqual(order, ['a', 'somebody else', 'b'])
    assert.deepEqual(domains(), ['a', 'b'])
  })

  test('ends with what its writes ask for, once, in the same transaction', async () => {
    const { store, add, domains } = openStore()
    const finish = () =>
      store.db
        .insert(realmDomains)
        .values({ domain: domains().join('+') })
        .run()
    await Promise.all(
      ['a', 'b'].map((domain) =>
        store.write((tx) => {
          tx.beforeCommit(finish)
          add(tx, domain)
        }),
      ),
    )
    assert.deepEqual(domains().sort(), ['a', 'a+b', 'b'])
  })

  test('fails as a whole when its end fails', async () => {
    const { store, add, domains, dispatched } = openStore()
    const results = await Promise.allSettled([
      store.write((tx) => add(tx, 'a')),
      store.write((tx) =>
        tx.beforeCommit(() => {
          throw new Error('No.')
        }),
      ),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.deepEqual([domains(), dispatched], [[], []])
  })

  test('undoes the one that fails, alone, with its events', async () => {
    const { store, add, domains, dispatched } = openStore()
    const results = await Promise.allSettled([
      store.write((tx) => add(tx, 'a')),
      store.write((tx) => {
        add(tx, 'b')
        throw new Error('No.')
      }),
      store.write((tx) => add(tx, 'c')),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(domains(), ['a', 'c'])
    assert.deepEqual(
      dispatched.map(([type]) => type),
      ['a', 'c'],
    )
  })

  test('stores a write with all of its events, however many they are', async () => {
    const { store, domains, dispatched } = openStore()
    const many = 200_000
    await store.write((tx) => {
      tx.db.insert(realmDomains).values({ domain: 'a' }).run()
      for (let i = 0; i < many; i++) tx.emit({ type: 'a' }, [1])
    })
    assert.deepEqual([domains(), dispatched.length], [['a'], many])
  })

  test('fails as a whole, without an event, when its commit fails', async () => {
    const { store, add, domains, dispatched } = openStore()
    const results = await Promise.allSettled([
      store.write((tx) => add(tx, 'a')),
      // What a full disk does: the transaction is gone under the writes that follow.
      store.write((tx) => tx.db.$client.exec('ROLLBACK')),
      store.write((tx) => add(tx, 'b')),
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    )
    assert.deepEqual(domains(), [])
    assert.deepEqual(dispatched, [])
    await store.write((tx) => add(tx, 'c'))
    assert.deepEqual(domains(), ['c'])
  })

  test('refuses a write that would wait', async () => {
    const { store, domains } = openStore()
    const late = async (tx: Tx) => void tx.db.insert(realmDomains).values({ domain: 'a' }).run()
    await assert.rejects(store.write(late), /must not be asynchronous/)
    assert.deepEqual(domains(), [])
  })
})

test('an audience is asked when the event happens, about users with a queue', async () => {
  const { store, dispatched } = openStore()
  let odd = true
  await store.write((tx) => {
    tx.emit({ type: 'x' }, (userId) => (userId % 2 === 1) === odd)
    odd = false
  })
  assert.deepEqual(dispatched, [['x', [1, 3]]])
})

test('what a write wants after its commit happens before its promise resolves, or never', async () => {
  const { store } = openStore()
  const seen: string[] = []
  await store.write((tx) => tx.afterCommit(() => seen.push('committed')))
  seen.push('resolved')
  await assert.rejects(
    store.write((tx) => {
      tx.afterCommit(() => seen.push('never'))
      throw new Error('No.')
    }),
  )
  assert.deepEqual(seen, ['committed', 'resolved'])
})

test('what follows a write is run by who charges for it: its events are placed, then the hooks, then the events', async () => {
  const { store, add, dispatched, emissions } = openStore()
  const steps: string[] = []
  const timed = (step: () => void) => {
    const [placed, delivered] = [emissions.size, dispatched.length]
    step()
    const name = emissions.size > placed ? 'place' : 'hook'
    steps.push(dispatched.length > delivered ? 'event' : name)
  }
  await Promise.all([
    store.write((tx) => {
      add(tx, 'a')
      tx.afterCommit(() => {})
      tx.emit({ type: 'again' }, [1])
    }, timed),
    store.write((tx) => add(tx, 'b')),
  ])
  assert.deepEqual(steps, ['place', 'place', 'hook', 'event', 'event'])
  assert.equal(dispatched.length, 3)
})
