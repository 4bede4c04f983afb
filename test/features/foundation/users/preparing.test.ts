import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createUser } from '#features/access/accounts/actions.ts'
import { findUser, roles } from '#features/foundation/users/queries.ts'
import { usersState } from '#features/foundation/users/state.ts'
import { createCaller, noCredential } from '#platform/http/caller.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { context } = server.server
const { store } = context

interface Registered {
  realm_users: { user_id: number; full_name: string }[]
}

test('the first list of thousands of users is made in steps, and has what changed meanwhile', async () => {
  const ids = await store.write((tx) =>
    Array.from({ length: 2000 }, (_, i) => {
      const email = `person${i}@example.com`
      return createUser(tx, { email, fullName: `Person ${i}`, role: roles.member }).id
    }),
  )
  const user = findUser(store, server.ids.member)
  assert.ok(user)
  const caller = createCaller(context, user, 'test', noCredential(context, user))
  const steps = usersState.prepare(caller)
  for (let i = 0; i < 3; i++) assert.equal(steps.next().done, false)
  const renamed = { full_name: 'Renamed Meanwhile' }
  assert.equal((await server.as('owner').patch(`/users/${ids[0]}`, renamed)).result, 'success')
  let count = 3
  while (!steps.next().done) count += 1
  const left = [...usersState.prepare(caller)].length
  assert.ok(left < count / 2, `${left} after ${count}`)
  assert.equal(usersState.prepare(caller).next().done, true)

  const { realm_users: users } = await server
    .as('member')
    .post<Registered>('/register', { fetch_event_types: ['realm_user'] })
  const found = new Map(users.map((one) => [one.user_id, one.full_name]))
  assert.equal(found.get(ids[0] ?? 0), renamed.full_name)
  assert.equal(found.get(ids[1999] ?? 0), 'Person 1999')
  assert.ok(ids.every((id) => found.has(id)))
})

test('users with IDs far apart are all in the list, and each is new once changed', async () => {
  const name = (i: number) => `Far Apart ${i}`
  const ids = await store.write((tx) =>
    [1, 2, 3].map((i) => {
      tx.db.$client.exec(`UPDATE sqlite_sequence SET seq = ${i * 100_000 - 1} WHERE name = 'users'`)
      const email = `far${i}@example.com`
      return createUser(tx, { email, fullName: name(i), role: roles.member }).id
    }),
  )
  assert.deepEqual(ids, [100_000, 200_000, 300_000])
  const listed = async () => {
    const { realm_users: users } = await server
      .as('member')
      .post<Registered>('/register', { fetch_event_types: ['realm_user'] })
    return users.filter(({ user_id }) => ids.includes(user_id)).map((one) => one.full_name)
  }
  assert.deepEqual(await listed(), [name(1), name(2), name(3)])
  const renamed = { full_name: 'Near' }
  assert.equal((await server.as('owner').patch(`/users/${ids[1]}`, renamed)).result, 'success')
  assert.deepEqual(await listed(), [name(1), renamed.full_name, name(3)])
})
