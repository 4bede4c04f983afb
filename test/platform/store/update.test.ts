import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findChannel } from '#features/foundation/channels/queries.ts'
import { findUser, updateUser } from '#features/foundation/users/queries.ts'
import { channels } from '#platform/store/schema.ts'
import { preparedUpdate } from '#platform/store/update.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { store } = server.server.context
const { ids } = server

test('changes only the columns that are given, and returns the row as it is stored', async () => {
  const before = findUser(store, ids.member) ?? assert.fail()
  const changed = await store.write((tx) =>
    updateUser(tx, ids.member, { isActive: false, avatarHash: undefined, passwordHash: null }),
  )
  assert.deepEqual(changed, { ...before, isActive: false, passwordHash: null })
  assert.deepEqual(findUser(store, ids.member), changed)
  const back = await store.write((tx) => updateUser(tx, ids.member, { isActive: true }))
  assert.deepEqual(back, { ...before, passwordHash: null })
})

test('another table has statements of its own', async () => {
  const update = preparedUpdate(channels)
  const before = findChannel(store, 3) ?? assert.fail()
  const changed = await store.write((tx) => update(tx, 3, { isArchived: true, retentionDays: 7 }))
  assert.deepEqual(changed, { ...before, isArchived: true, retentionDays: 7 })
})

test('a row that is not there is an error', async () => {
  await assert.rejects(
    store.write((tx) => updateUser(tx, 999_999, { isActive: true })),
    /There is no row 999999/,
  )
})
