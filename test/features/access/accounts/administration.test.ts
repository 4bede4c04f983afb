import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { setRealmSetting } from '#features/foundation/realm/settings.queries.ts'
import { findUser, type Role, updateUser } from '#features/foundation/users/queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { digestOf } from '#test/support/stored.ts'

const server = await startServer({ config: { emailChangers: ['Desdemona@zulip.com'] } })
after(server.close)
const digest = digestOf(server)
const { store } = server.server.context
const { ids } = server

const administrator = failure('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL')
const ownerAlone = failure('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL')
const noSuchUser = failure('No such user')
const person = (userId: number, changes: object) => ({
  type: 'realm_user',
  op: 'update',
  person: { user_id: userId, ...changes },
})
const members = (op: string, groupId: number, userId: number) => ({
  type: 'user_group',
  op,
  group_id: groupId,
  user_ids: [userId],
})
const patch = (actor: Actor, who: number | string, params: object) =>
  server.as(actor).patch(`/users/${who}`, params as Record<string, unknown>)
const setRole = (userId: number, role: Role) =>
  store.write((tx) => void updateUser(tx, userId, { role }))

describe('who may administer people', () => {
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, object, object][] = [
    // an ordinary person,  an owner
    ['owner',     success,       success],
    ['admin',     success,       ownerAlone],
    ['moderator', administrator, administrator],
    ['member',    administrator, administrator],
    ['guest',     administrator, administrator],
    ['bot',       administrator, administrator],
  ]
  for (const [actor, ordinary, owner] of matrix) {
    test(`${actor}`, async () => {
      const call = server.as(actor)
      const before = digest()
      assert.deepEqual(await patch(actor, ids.zoe, { full_name: `Zoe by ${actor}` }), ordinary)
      assert.deepEqual(await patch(actor, ids.zoe, { role: 300 }), ordinary)
      assert.deepEqual(await patch(actor, ids.zoe, { role: 100 }), owner)
      assert.deepEqual(await call.del(`/users/${ids.othello}`), ordinary)
      assert.deepEqual(await call.post(`/users/${ids.othello}/reactivate`), ordinary)
      const account = {
        email: `${actor}@new.example`,
        password: 'hamlet who',
        full_name: 'Newcomer',
      }
      const { user_id: _, ...created } = await call.post('/users', account)
      assert.deepEqual(created, ordinary)
      if (ordinary !== success) assert.equal(digest(), before)
      await setRole(ids.zoe, 100)
      assert.deepEqual(await patch(actor, ids.zoe, { role: 400 }), owner)
      await setRole(ids.zoe, 100)
      assert.deepEqual(await call.del(`/users/${ids.zoe}`), owner)
      await store.write((tx) => void updateUser(tx, ids.zoe, { isActive: false }))
      assert.deepEqual(await call.post(`/users/${ids.zoe}/reactivate`), owner)
      await store.write((tx) => void updateUser(tx, ids.zoe, { isActive: true, role: 400 }))
    })
  }

  test('nobody without credentials', async () => {
    const reply = await server.anonymous.patch(`/users/${ids.zoe}`, { role: 600 })
    assert.deepEqual([reply.status, reply.code], [401, 'UNAUTHORIZED'])
  })
})

describe('a new role', () => {
  test('is told to everyone, with the groups that follow from it', async () => {
    const queue = await server.as('guest').watch('realm_user', 'user_group')
    assert.deepEqual(await patch('admin', 'user6@zulipdev.com', { role: 300 }), success)
    assert.deepEqual(await queue.drain(), [
      person(ids.outsider, { role: 300 }),
      members('remove_members', systemGroupId(store, 'role:fullmembers'), ids.outsider),
      members('remove_members', systemGroupId(store, 'role:members'), ids.outsider),
      members('add_members', systemGroupId(store, 'role:moderators'), ids.outsider),
    ])
    assert.deepEqual(await patch('admin', ids.outsider, { role: 300 }), success)
    assert.deepEqual(await queue.drain(), [], 'what stays as it is causes no event')
  })

  test('brings hidden channels and addresses into view, and takes them out again', async () => {
    const queue = await server.as('outsider').watch('stream', 'realm_user')
    const kinds = async () =>
      (await queue.drain()).map(({ type, op, person: p }) =>
        type === 'stream' ? `${type}/${op}` : Object.keys(p as object).join(),
      )
    await server.as('member').patch('/settings', { email_address_visibility: 3 })
    await queue.drain()
    await patch('owner', ids.outsider, { role: 200 })
    const up = await kinds()
    assert.ok(up.includes('stream/create') && up.includes('user_id,delivery_email'), String(up))
    await patch('owner', ids.outsider, { role: 400 })
    const down = await kinds()
    assert.ok(down.includes('stream/delete') && down.includes('user_id,delivery_email'))
    assert.equal(up.length, down.length)
  })

  test('cannot be taken from the only owner', async () => {
    const before = digest()
    const refused = 'The owner permission cannot be removed from the only organization owner.'
    assert.deepEqual(await patch('owner', ids.owner, { role: 200 }), failure(refused))
    assert.deepEqual(
      await server.as('owner').del(`/users/${ids.owner}`),
      failure('Cannot deactivate the only organization owner'),
    )
    assert.deepEqual(
      await server.as('owner').del('/users/me'),
      failure('Cannot deactivate the only organization owner', 'CANNOT_DEACTIVATE_LAST_USER', {
        is_last_owner: true,
        entity: 'organization owner',
      }),
    )
    assert.equal(digest(), before)
  })
})

describe('a new address', () => {
  const email = 'moor@venice.example'
  const denied = failure('User not authorized to change user emails')

  test('takes an owner whom the operator lets change addresses', async () => {
    for (const [role, expected] of [
      [200, ownerAlone],
      [100, denied],
    ] as const) {
      await setRole(ids.admin, role)
      const before = digest()
      assert.deepEqual(await patch('admin', ids.othello, { new_email: email }), expected)
      assert.equal(digest(), before)
    }
    await setRole(ids.admin, 200)
  })

  test('is told to those who may see it, and works for logging in', async () => {
    await server.as('othello').patch('/settings', { email_address_visibility: 1 })
    const queues = await Promise.all(
      (['member', 'guest'] as const).map((who) => server.as(who).watch('realm_user')),
    )
    assert.deepEqual(await patch('owner', 'othello@zulip.com', { new_email: email }), success)
    for (const queue of queues) {
      assert.deepEqual(await queue.drain(), [
        person(ids.othello, { delivery_email: email }),
        person(ids.othello, { new_email: email }),
      ])
    }
    const reply = await server.as('member').get<{ user: { email: string } }>(`/users/${email}`)
    assert.equal(reply.user.email, email)
    assert.deepEqual(await server.as('member').get('/users/othello@zulip.com'), noSuchUser)
    assert.deepEqual(await patch('owner', email, { new_email: 'othello@zulip.com' }), success)
  })
})

describe('deactivating', () => {
  test('ends keys, queues and memberships at once; reactivating brings them back', async () => {
    await server.as('owner').post('/user_groups/create', {
      name: 'venetians',
      description: '',
      members: [ids.othello],
    })
    const own = await server.as('othello').watch('message')
    const queue = await server.as('member').watch('realm_user', 'user_group', 'subscription')
    assert.deepEqual(await server.as('admin').del(`/users/${ids.othello}`), success)
    const everybody = systemGroupId(store, 'role:members')
    const full = systemGroupId(store, 'role:fullmembers')
    const gone = await queue.drain()
    const groups = (events: typeof gone, op: string) =>
      events.flatMap((event) => (event.op === op ? [event.group_id as number] : []))
    assert.deepEqual(gone[0], person(ids.othello, { is_active: false }))
    const left = groups(gone, 'remove_members')
    assert.ok(left.includes(everybody) || left.includes(full))
    assert.ok(gone.some(({ op, user_ids }) => op === 'peer_remove' && String(user_ids) === '12'))
    const poll = { queue_id: own.queueId, last_event_id: -1, dont_block: true }
    assert.equal((await server.as('othello').get('/events', poll)).code, 'USER_DEACTIVATED')

    assert.deepEqual(await server.as('admin').post(`/users/${ids.othello}/reactivate`), success)
    const back = await queue.drain()
    assert.deepEqual(back[0], person(ids.othello, { is_active: true }))
    assert.deepEqual(groups(back, 'add_members'), left)
    const peers = (events: typeof gone, op: string) =>
      events.filter((event) => event.op === op).map(({ stream_ids }) => stream_ids)
    assert.deepEqual(peers(back, 'peer_add'), peers(gone, 'peer_remove'))
    assert.equal((await server.as('othello').get('/events', poll)).code, 'BAD_EVENT_QUEUE_ID')
    const again = await server.as('admin').post(`/users/${ids.othello}/reactivate`)
    assert.deepEqual(again, failure('User is already active'))
  })

  test('oneself, with the bots one owns', async () => {
    await store.write((tx) => void updateUser(tx, ids.bot, { botOwnerId: ids.cordelia }))
    assert.deepEqual(await server.as('cordelia').del('/users/me'), success)
    assert.equal((await server.as('cordelia').get('/users/me')).code, 'USER_DEACTIVATED')
    assert.equal((await server.as('bot').get('/users/me')).code, 'USER_DEACTIVATED')
    const bot = await server.as('admin').post(`/users/${ids.bot}/reactivate`)
    assert.deepEqual(bot, failure("The bot's owner is deactivated."))
    for (const id of [ids.cordelia, ids.bot]) {
      assert.deepEqual(await server.as('admin').post(`/users/${id}/reactivate`), success)
    }
    assert.equal((await server.as('bot').del('/users/me')).result, 'error')
  })
})

test('a created user starts in the default channels, and can log in', async () => {
  const queue = await server.as('member').watch('realm_user')
  const account = {
    email: 'Yorick@zulip.com',
    password: 'alas, poor me',
    full_name: ' Yorick ',
  }
  const reply = await server.as('admin').post<{ user_id: number }>('/users', account)
  const user = findUser(store, reply.user_id)
  assert.deepEqual([user?.fullName, user?.role, user?.email], ['Yorick', 400, 'Yorick@zulip.com'])
  const [event] = await queue.drain()
  const added = event?.person as { full_name: string } | undefined
  assert.deepEqual([event?.op, added?.full_name], ['add', 'Yorick'])
  const login = await server.anonymous.post('/fetch_api_key', {
    username: account.email,
    password: account.password,
  })
  assert.equal(login.user_id, reply.user_id)
  const again = await server.as('admin').post('/users', account)
  assert.deepEqual(again, failure("Email 'Yorick@zulip.com' is already in use."))
})

test('where addresses are restricted to domains, others cannot get an account', async () => {
  await store.write((tx) => setRealmSetting(tx, 'emails_restricted_to_domains', true))
  const account = { email: 'x@elsewhere.example', password: 'long enough', full_name: 'Xavier' }
  const reply = await server.as('owner').post('/users', account)
  assert.deepEqual(reply, failure("Email 'x@elsewhere.example' not allowed in this organization"))
})

describe('bad input changes nothing', () => {
  // biome-ignore format: a table reads best in columns
  const table: [string, number | string, object, object][] = [
    ['an unknown user',        999,         { role: 400 },               noSuchUser],
    ['a negative user',        -1,          { role: 400 },               noSuchUser],
    ['a huge user',            '9'.repeat(15), { role: 400 },            noSuchUser],
    ['an unknown address',     'x@y.z',     { role: 400 },               noSuchUser],
    ['a prototype name',       '__proto__', { role: 400 },               noSuchUser],
    ['a system bot',           4,           { full_name: 'Mine' },       noSuchUser],
    ['no such role',           ids.zoe,     { role: 500 },               failure('Invalid role')],
    ['a word for a role',      ids.zoe,     { role: 'owner' },           failure('Argument "role" is not valid JSON.')],
    ['a fraction of a role',   ids.zoe,     { role: 400.5 },             failure('Invalid role')],
    ['an empty name',          ids.zoe,     { full_name: '' },           failure('The full name is missing.')],
    ['NUL in a name',          ids.zoe,     { full_name: 'a\0' },        failure('Argument "full_name" holds characters that are not allowed.')],
    ['no address',             ids.zoe,     { new_email: 'nowhere' },    failure('This is not an email address.')],
    ["somebody's address",     ids.zoe,     { new_email: 'IAGO@zulip.com' }, failure("Email 'IAGO@zulip.com' is already in use.")],
    ['a placeholder',          ids.zoe,     { new_email: 'user8@zulipdev.com' }, failure("Email 'user8@zulipdev.com' is already in use.")],
    ['no list',                ids.zoe,     { profile_data: { id: 1 } }, failure('profile_data is not a list')],
    ['an unknown field',       ids.zoe,     { profile_data: [{ id: 99, value: 'x' }] }, failure('Field id 99 not found.')],
    ['a profile of a bot',     ids.bot,     { profile_data: [{ id: 1, value: 'x' }] }, failure('Bots have no profile.')],
    ['a good and a bad value', ids.zoe,     { role: 600, full_name: '@' }, failure('The full name may not contain @ (U+0040), at position 1.')],
  ]
  for (const [name, who, params, expected] of table) {
    test(name, async () => {
      const queue = await server.as('member').watch()
      const before = digest()
      assert.deepEqual(await patch('owner', who, params), expected)
      assert.equal(digest(), before)
      assert.deepEqual(await queue.drain(), [])
    })
  }

  // biome-ignore format: a table reads best in columns
  const accounts: [string, object, object][] = [
    ['no password',       { email: 'a@b.c', password: '', full_name: 'Ada' },            failure('The password is missing.')],
    ['no name',           { email: 'a@b.c', password: 'long enough', full_name: ' ' }, failure('The full name is missing.')],
    ['no address',        { email: 'a b', password: 'long enough', full_name: 'Ada' },   failure('This is not an email address.')],
    ['without a password', { email: 'a@b.c', full_name: 'Ada' }, failure("Missing 'password' argument", 'REQUEST_VARIABLE_MISSING', { var_name: 'password' })],
  ]
  for (const [name, params, expected] of accounts) {
    test(`a new account with ${name}`, async () => {
      const before = digest()
      assert.deepEqual(
        await server.as('owner').post('/users', params as Record<string, unknown>),
        expected,
      )
      assert.equal(digest(), before)
    })
  }

  test('bots are not deactivated as people are', async () => {
    assert.deepEqual(await server.as('owner').del(`/users/${ids.bot}`), noSuchUser)
  })
})
