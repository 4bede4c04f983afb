import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { findUser, updateUser } from '#features/foundation/users/queries.ts'
import { type Caller, createCaller, noCredential } from '#platform/http/caller.ts'
import type { LongWrite } from '#platform/long-write.ts'
import type { Tx } from '#platform/store/store.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { context } = server.server
const { store } = context

/** What has been written, by row of this table. */
store.db.$client.exec('CREATE TEMP TABLE steps (name TEXT)')
const insert = store.db.$client.prepare('INSERT INTO steps VALUES (?)')
const written = () => store.db.$client.prepare('SELECT name FROM steps').pluck().all()

beforeEach(() => void store.db.$client.exec('DELETE FROM steps'))

function callerFor(person: 'othello' | 'cordelia'): Caller {
  const user = findUser(store, server.ids[person])
  assert.ok(user)
  return createCaller(context, user, 'test', noCredential(context, user))
}

/** Writes the steps, each in a transaction of its own: it takes longer than one goes on. */
function* slowly(tx: Tx, names: readonly string[]): LongWrite<string> {
  let now = tx
  for (const name of names) {
    insert.run(name)
    if (name === 'fail') throw new Error('It fails.')
    server.clock.advance(6)
    const before = now
    now = yield
    assert.notEqual(now, before)
  }
  return 'done'
}

describe('a long write', () => {
  test('lets others write between its transactions', async () => {
    const caller = callerFor('othello')
    const long = caller.store.writeLong((tx) => slowly(tx, ['a', 'b', 'c']))
    await store.write(() => insert.run('other'))
    assert.equal(await long, 'done')
    assert.deepEqual(written(), ['a', 'other', 'b', 'c'])
  })

  test('is one transaction while it is short', async () => {
    const seen = new Set<Tx>()
    await callerFor('othello').store.writeLong(function* (tx) {
      seen.add(tx)
      for (let i = 0; i < 3; i++) seen.add(yield)
    })
    assert.equal(seen.size, 1)
  })

  test('that fails keeps what it did in earlier transactions, and nothing of the last one', async () => {
    const failing = callerFor('othello').store.writeLong((tx) => slowly(tx, ['a', 'b', 'fail']))
    await assert.rejects(failing, /It fails/)
    assert.deepEqual(written(), ['a', 'b'])
  })

  test('ends once the account of the caller is deactivated', async () => {
    const caller = callerFor('cordelia')
    const long = caller.store.writeLong((tx) => slowly(tx, ['a', 'b', 'c']))
    const deactivated = store.write((tx) => updateUser(tx, caller.user.id, { isActive: false }))
    await assert.rejects(long, { code: 'USER_DEACTIVATED' })
    await deactivated
    assert.deepEqual(written(), ['a'])
  })
})
