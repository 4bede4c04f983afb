import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '#platform/clock.ts'
import { defaultConfig } from '#platform/config.ts'
import { columnsOf, derived } from '#platform/store/derived.ts'
import { openDatabase } from '#platform/store/open.ts'
import { linkifiers, realmDomains } from '#platform/store/schema.ts'
import type { Tx } from '#platform/store/store.ts'
import { createStore } from '#platform/store/write.ts'
import { silentQueues } from '#test/support/silent-queues.ts'

function setUp() {
  const store = createStore(openDatabase(':memory:'), manualClock(0), defaultConfig, silentQueues)
  let builds = 0
  const domains = derived(
    [realmDomains, linkifiers],
    (read, prefix: string) => {
      builds += 1
      const rows = read.db.select().from(realmDomains).all()
      return rows.map(({ domain }) => domain).filter((domain) => domain.startsWith(prefix))
    },
    2,
  )
  const add = (tx: Tx, domain: string) => tx.db.insert(realmDomains).values({ domain }).run()
  return { store, domains, add, builds: () => builds }
}

test('a derived value is made once until one of its tables changes, in whatever way', async () => {
  const { store, domains, add, builds } = setUp()
  assert.deepEqual([domains(store, ''), domains(store, '')], [[], []])
  assert.equal(builds(), 1)
  const changes: [(tx: Tx) => unknown, string[]][] = [
    [(tx) => add(tx, 'a'), ['a']],
    [(tx) => tx.db.update(realmDomains).set({ domain: 'b' }).run(), ['b']],
    [(tx) => tx.db.$client.exec("INSERT INTO realm_domains (domain) VALUES ('c')"), ['b', 'c']],
    [(tx) => tx.db.delete(realmDomains).run(), []],
  ]
  for (const [change, expected] of changes) {
    await store.write((tx) => void change(tx))
    assert.deepEqual(domains(store, ''), expected)
  }
  assert.equal(builds(), 1 + changes.length)
})

test('a derived value of some columns is not made again when another changes', async () => {
  const { store, add } = setUp()
  let builds = 0
  const domains = derived(
    [columnsOf(realmDomains, 'domain')],
    (read, _key: 'all', before: string[] | undefined) => {
      builds += 1
      const rows = read.db.select().from(realmDomains).all()
      return [...(before ?? []), rows.map(({ domain }) => domain).join()]
    },
    1,
  )
  const changes: [(tx: Tx) => unknown, string[]][] = [
    [(tx) => add(tx, 'a'), ['', 'a']],
    [(tx) => tx.db.update(realmDomains).set({ allowSubdomains: true }).run(), ['', 'a']],
    [(tx) => tx.db.update(realmDomains).set({ domain: 'b' }).run(), ['', 'a', 'b']],
    [(tx) => tx.db.delete(realmDomains).run(), ['', 'a', 'b', '']],
  ]
  assert.deepEqual(domains(store, 'all'), [''])
  for (const [change, expected] of changes) {
    await store.write((tx) => void change(tx))
    assert.deepEqual(domains(store, 'all'), expected)
  }
  assert.equal(builds, 4)
})

test('a derived value is as the transaction sees it, and nothing of an undone one stays', async () => {
  const { store, domains, add } = setUp()
  for (const isFirst of [true, false]) {
    const undone = store.write((tx) => {
      add(tx, 'undone')
      assert.deepEqual(domains(tx, ''), ['undone'], String(isFirst))
      throw new Error('No.')
    })
    await assert.rejects(undone)
    assert.deepEqual(domains(store, ''), [])
  }
  await store.write((tx) => void add(tx, 'kept'))
  assert.deepEqual(domains(store, ''), ['kept'])
})

test('derived values are kept apart by key, the newest ones', () => {
  const { store, domains, builds } = setUp()
  for (const key of ['a', 'b', 'a', 'b']) domains(store, key)
  assert.equal(builds(), 2)
  for (const key of ['c', 'b', 'a']) domains(store, key)
  assert.equal(builds(), 4)
})
