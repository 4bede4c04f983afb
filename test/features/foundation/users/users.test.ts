import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createUser } from '#features/access/accounts/actions.ts'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import {
  setRealmGroupSetting,
  setRealmSetting,
} from '#features/foundation/realm/settings.queries.ts'
import { describeUser } from '#features/foundation/users/json.ts'
import { findUser, roles } from '#features/foundation/users/queries.ts'
import { setUserDefault } from '#features/foundation/users/settings.queries.ts'
import { failure, success } from '#test/support/replies.ts'
import { type Actor, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)
const { store } = server.server.context
const { ids } = server

const noSuchUser = failure('No such user')

interface Person {
  user_id: number
  email: string
  delivery_email: string | null
  full_name: string
  avatar_url: string
  [member: string]: unknown
}

const getUser = (actor: Actor, who: number | string, params = {}) =>
  server.as(actor).get<{ user: Person }>(`/users/${who}`, params)

test('a user is shown with every field of the contract', async () => {
  const reply = await getUser('owner', ids.admin, {
    include_custom_profile_fields: true,
  })
  const { profile_data, ...user } = reply.user
  assert.deepEqual(user, {
    user_id: 11,
    delivery_email: 'iago@zulip.com',
    email: 'user11@zulipdev.com',
    full_name: 'Iago',
    date_joined: '2026-01-01T00:00:00.000000+00:00',
    is_active: true,
    is_owner: false,
    is_admin: true,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    role: 200,
    timezone: 'US/Eastern',
    avatar_url: '/user_avatars/11.png?version=1',
    avatar_version: 1,
  })
  assert.deepEqual((profile_data as Record<string, unknown>)[2], {
    value: 'Betrayer of Othello.',
    rendered_value: '<p>Betrayer of Othello.</p>',
  })
  assert.deepEqual((profile_data as Record<string, unknown>)[7], { value: '[10]' })
})

test('a bot has an owner, a public address and no profile', async () => {
  const { user } = await getUser('guest', ids.bot, { include_custom_profile_fields: true })
  assert.equal(user.is_bot, true)
  assert.equal(user.bot_type, 1)
  assert.equal(user.bot_owner_id, ids.owner)
  assert.equal(user.delivery_email, 'default-bot@zulip.com')
  assert.equal('profile_data' in user, false)
})

test('an owner counts as an administrator too', async () => {
  const { user } = await getUser('guest', ids.owner)
  assert.deepEqual([user.is_owner, user.is_admin, user.is_guest], [true, true, false])
})

describe('who sees the real address', () => {
  const viewers: Actor[] = ['owner', 'admin', 'moderator', 'member', 'guest']
  // biome-ignore format: a matrix reads best in columns
  const matrix: [string, 1 | 2 | 3 | 4 | 5, boolean[]][] = [
    ['everyone',       1, [true,  true,  true,  true,  true]],
    ['members',        2, [true,  true,  true,  true,  false]],
    ['administrators', 3, [true,  true,  false, false, false]],
    ['nobody',         4, [false, false, false, false, false]],
    ['moderators',     5, [true,  true,  true,  false, false]],
  ]
  for (const [name, value, expected] of matrix) {
    test(`${name}: by id and by address`, async () => {
      const email = `visible-to-${name}@zulip.com`
      const { id } = await store.write((tx) => {
        setUserDefault(tx, 'email_address_visibility', value)
        return createUser(tx, { email, fullName: name, role: roles.member })
      })
      for (const [i, viewer] of viewers.entries()) {
        const { user } = await getUser(viewer, id)
        assert.equal(user.email, value === 1 ? email : `user${id}@zulipdev.com`)
        assert.equal(user.delivery_email, expected[i] ? email : null, viewer)
        const byAddress = await getUser(viewer, email)
        if (expected[i]) assert.equal(byAddress.user.user_id, id)
        else assert.deepEqual(byAddress, noSuchUser, viewer)
        const byPlaceholder = await getUser(viewer, `USER${id}@ZulipDev.com`)
        assert.equal(byPlaceholder.user.user_id, id)
      }
    })
  }
})

test('everyone sees their own real address', async () => {
  const me = await server.as('guest').get<Person>('/users/me')
  assert.equal(me.delivery_email, 'polonius@zulip.com')
  assert.equal(me.avatar_url, '/user_avatars/13.png?version=1')
  assert.equal((await getUser('guest', 'Polonius@Zulip.com')).user.user_id, ids.guest)
})

describe('unknown and malformed users', () => {
  const ids = ['0', '-1', '99999', 'nobody', 'nobody@zulip.com', 'user99999@zulipdev.com', '%20']
  for (const who of ids) {
    test(`/users/${who} is answered like any unknown user`, async () => {
      assert.deepEqual(await getUser('member', who), noSuchUser)
    })
  }
  test('an id that is no safe integer is refused', async () => {
    const reply = await getUser('member', '9'.repeat(30))
    assert.deepEqual(reply, failure('user_id is out of range'))
  })
  test('NUL and bad UTF-8 in the path are refused', async () => {
    const nul = await getUser('member', '%00')
    assert.deepEqual(nul, failure('Argument "email" holds characters that are not allowed.'))
    assert.deepEqual(await getUser('member', '%ff'), noSuchUser)
  })
  test('a flag that is no boolean is refused', async () => {
    const reply = await getUser('member', 10, { client_gravatar: 'perhaps' })
    assert.deepEqual(reply, failure('Argument "client_gravatar" is not valid JSON.'))
  })
})

describe('GET /users', () => {
  const list = (actor: Actor, params = {}) =>
    server.as(actor).get<{ members: Person[] }>('/users', params)

  test('lists people and bots by id, without the system bots', async () => {
    const { members } = await list('member')
    const listed = members.map(({ user_id }) => user_id)
    assert.deepEqual(listed.slice(0, 13), [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18])
    assert.equal('profile_data' in (members[0] ?? {}), false)
  })
  test('can be limited to some; unknown ones are left out', async () => {
    const { members } = await list('member', {
      user_ids: [15, 10, 99_999, 1],
      include_custom_profile_fields: true,
    })
    assert.deepEqual(
      members.map(({ user_id, profile_data }) => [user_id, Object.keys(profile_data as object)]),
      [
        [10, ['1', '2', '3', '4', '5', '6', '7', '8', '9']],
        [15, []],
      ],
    )
  })
  test('needs an account, unless spectators may look; they see no address', async () => {
    const refused = failure(
      'Not logged in: API authentication or user session required',
      'UNAUTHORIZED',
    )
    assert.deepEqual(await server.anonymous.get('/users'), refused)
    await store.write((tx) => setRealmSetting(tx, 'enable_spectator_access', true))
    const { members } = await server.anonymous.get<{ members: Person[] }>('/users')
    const people = members.filter(({ is_bot }) => !is_bot)
    assert.ok(people.length > 9)
    for (const person of people) {
      assert.equal(person.delivery_email, null)
      assert.equal(person.email, `user${person.user_id}@zulipdev.com`)
    }
    await store.write((tx) => setRealmSetting(tx, 'enable_spectator_access', false))
  })
})

describe('a guest who may not know of everyone', () => {
  const limit = (group: 'role:members' | 'role:everyone') =>
    store.write((tx) => {
      setRealmGroupSetting(tx, 'can_access_all_users_group', systemGroupId(tx, group))
    })
  let stranger = 0
  before(async () => {
    await limit('role:members')
    const wanted = { email: 'stranger@zulip.com', fullName: 'Stranger', role: roles.member }
    stranger = (await store.write((tx) => createUser(tx, wanted))).id
  })
  after(() => limit('role:everyone'))

  test('knows bots and those who share a channel, and nobody else', async () => {
    const { members } = await server.as('guest').get<{ members: Person[] }>('/users')
    const known = members.map(({ user_id }) => user_id)
    for (const id of [ids.guest, ids.bot, ids.cordelia, ids.owner]) assert.ok(known.includes(id))
    assert.equal(known.includes(stranger), false)
    assert.deepEqual(await getUser('guest', stranger), noSuchUser)
    assert.deepEqual(await getUser('guest', `user${stranger}@zulipdev.com`), noSuchUser)
    assert.equal((await getUser('member', stranger)).user.full_name, 'Stranger')
  })

  test('finds an unknown user in the list, or none, as the client can bear', async () => {
    const types = { fetch_event_types: ['realm_user'], event_types: ['realm_user'] }
    const whole = await server.as('guest').watchWith(types)
    const users = whole.state.realm_users as Person[]
    const unknown = users.find(({ user_id }) => user_id === stranger)
    assert.equal(unknown?.full_name, 'Unknown user')
    assert.equal(unknown?.email, `user${stranger}@zulipdev.com`)
    const sparse = await server
      .as('guest')
      .watchWith({ ...types, client_capabilities: { user_list_incomplete: true } })
    const known = (sparse.state.realm_users as Person[]).map(({ user_id }) => user_id)
    assert.equal(known.includes(stranger), false)
    assert.ok(known.includes(ids.member))
  })

  test('learns nothing of who joins but that someone did', async () => {
    const types = { fetch_event_types: ['realm_user'], event_types: ['realm_user'] }
    const whole = await server.as('guest').watchWith(types)
    const sparse = await server
      .as('guest')
      .watchWith({ ...types, client_capabilities: { user_list_incomplete: true } })
    const wanted = { email: 'secret@zulip.com', fullName: 'Secret', role: roles.member }
    await store.write((tx) => createUser(tx, wanted))
    const [event] = await whole.drain()
    assert.deepEqual((event?.person as Person | undefined)?.full_name, 'Unknown user')
    assert.equal(JSON.stringify(event).includes('ecret'), false)
    assert.deepEqual(await sparse.drain(), [])
  })
})

test('who joins is announced to each in the form that they may see', async () => {
  const [admin, member] = await Promise.all([
    server.as('admin').watch('realm_user'),
    server.as('member').watch('realm_user'),
  ])
  const { id } = await store.write((tx) => {
    setUserDefault(tx, 'email_address_visibility', 3)
    return createUser(tx, { email: 'new@zulip.com', fullName: 'New', role: roles.guest })
  })
  const path = `/user_avatars/${id}.png?version=1`
  // biome-ignore format: a table reads best in columns
  const expected = [
    { queue: admin,  delivery_email: 'new@zulip.com', avatar_url: path },
    { queue: member, delivery_email: null,            avatar_url: path },
  ]
  for (const { queue, ...seen } of expected) {
    const events = await queue.drain()
    assert.equal(events.length, 1)
    const { person, ...event } = events[0] as { person: Person; type: string; op: string }
    assert.deepEqual(event, { type: 'realm_user', op: 'add' })
    const { delivery_email, avatar_url, user_id, is_active, is_guest } = person
    assert.deepEqual({ delivery_email, avatar_url }, seen)
    assert.deepEqual([user_id, is_active, is_guest], [id, true, true])
  }
})

test('nobody can take an address that stands for someone', async () => {
  const refused = [
    'HAMLET@zulip.com',
    'user10@zulipdev.com',
    // Not theirs yet, but it would be the next one's.
    'user4711@zulipdev.com',
  ]
  for (const email of refused) {
    const added = store.write((tx) => createUser(tx, { email, fullName: 'X', role: roles.member }))
    await assert.rejects(added, { code: 'BAD_REQUEST' })
  }
})

describe('register tells what the caller may do', () => {
  const abilities = async (actor: Actor) => {
    const { state } = await server.as(actor).watchWith({ fetch_event_types: ['realm_user'] })
    const { is_owner, is_admin, is_moderator, is_guest, can_create_streams } = state
    return [is_owner, is_admin, is_moderator, is_guest, can_create_streams]
  }
  // biome-ignore format: a matrix reads best in columns
  const matrix: [Actor, boolean[]][] = [
    ['owner',     [true,  true,  true,  false, true]],
    ['admin',     [false, true,  true,  false, true]],
    ['moderator', [false, false, true,  false, true]],
    ['member',    [false, false, false, false, true]],
    ['guest',     [false, false, false, true,  false]],
  ]
  for (const [actor, expected] of matrix) {
    test(actor, async () => assert.deepEqual(await abilities(actor), expected))
  }
})

describe('pictures', () => {
  const picture = async (path: string) => {
    const response = await fetch(server.url + path)
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, type: response.headers.get('content-type'), bytes }
  }
  for (const [path, size] of [
    ['/user_avatars/10.png?version=1', 100],
    ['/user_avatars/10-medium.png?version=1', 500],
    ['/avatar/10', 100],
    ['/avatar/10/medium', 500],
  ] as const) {
    test(`${path} is a picture of ${size} pixels, without credentials`, async () => {
      const { status, type, bytes } = await picture(path)
      assert.deepEqual([status, type], [200, 'image/png'])
      assert.equal(bytes.subarray(1, 4).toString(), 'PNG')
      assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [size, size])
    })
  }
  test('an id that nobody has looks like any other', async () => {
    assert.equal((await picture('/avatar/4711')).status, 200)
    assert.equal((await picture('/avatar/x')).status, 404)
  })
})

test('a list tells to the second when each user joined, whatever the day of the one before', () => {
  const user = findUser(store, ids.member)
  assert.ok(user)
  const texts = [
    '2026-01-01T00:00:00.000000+00:00',
    '2026-01-01T23:59:59.000000+00:00',
    '2025-12-31T09:05:07.000000+00:00',
    '2026-01-01T10:10:10.000000+00:00',
    '1970-01-01T00:00:01.000000+00:00',
    '1969-12-31T23:59:59.000000+00:00',
  ]
  const joined = texts.map((text) => {
    const dateJoined = Date.parse(text) / 1000
    return describeUser({ ...user, dateJoined }, true, undefined).date_joined
  })
  assert.deepEqual(joined, texts)
})

test('GET /users/me says who one is', async () => {
  const { max_message_id, ...me } = await server.as('bot').get('/users/me')
  assert.equal(typeof max_message_id, 'number')
  assert.deepEqual(me, {
    ...success,
    user_id: 16,
    delivery_email: 'default-bot@zulip.com',
    email: 'default-bot@zulip.com',
    full_name: 'Zulip Default Bot',
    date_joined: '2026-01-01T00:00:00.000000+00:00',
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: true,
    bot_type: 1,
    bot_owner_id: 9,
    role: 400,
    timezone: '',
    avatar_url: '/user_avatars/16.png?version=1',
    avatar_version: 1,
  })
})
