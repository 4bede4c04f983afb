import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { systemGroupId } from '#permissions/groups.ts'
import { success } from './support/replies.ts'
import { type Actor, type CallParams, type Event, startServer } from './support/server.ts'

const server = await startServer()
after(server.close)

const { ids } = server
const owner = server.as('owner')

let made = 0
async function newChannel(subscribers: Actor[], params: CallParams = {}): Promise<number> {
  made += 1
  const reply = await owner.post<{ id: number }>('/channels/create', {
    name: `made ${made}`,
    subscribers: subscribers.map((name) => ids[name]),
    ...params,
  })
  assert.equal(reply.result, 'success', reply.msg)
  return reply.id
}

async function newGroup(members: Actor[], subgroups: number[] = []): Promise<number> {
  made += 1
  const reply = await owner.post<{ group_id: number }>('/user_groups/create', {
    name: `group ${made}`,
    description: '',
    members: members.map((name) => ids[name]),
    subgroups,
  })
  assert.equal(reply.result, 'success', reply.msg)
  return reply.group_id
}

const members = (group: number, change: object) =>
  owner.post(`/user_groups/${group}/members`, { ...change })
const subgroups = (group: number, change: object) =>
  owner.post(`/user_groups/${group}/subgroups`, { ...change })

describe('a private channel appears for those whom a group lets know of it, and is gone when it does not', () => {
  interface Place {
    /** Named by the setting. */
    outer: number
    /** Inside the other. */
    inner: number
  }
  type Step = (place: Place) => Promise<{ result: string; msg: string }>
  const zoe = { add: [ids.zoe] }
  const noZoe = { delete: [ids.zoe] }
  // biome-ignore format: a table reads best in columns
  const rows: [string, come: Step, go: Step][] = [
    ['joins the group and leaves it',
      ({ outer }) => members(outer, zoe), ({ outer }) => members(outer, noZoe)],
    ['joins a group inside it and leaves that',
      ({ inner }) => members(inner, zoe), ({ inner }) => members(inner, noZoe)],
  ]
  const settings = [
    'can_subscribe_group',
    'can_add_subscribers_group',
    'can_administer_channel_group',
  ]
  for (const setting of settings) {
    for (const [what, come, go] of rows) {
      for (const form of ['the group', 'the group and people'] as const) {
        test(`${setting} is ${form}: zoe ${what}`, async () => {
          const inner = await newGroup([])
          const outer = await newGroup([], [inner])
          const value =
            form === 'the group'
              ? outer
              : { direct_members: [ids.member], direct_subgroups: [outer] }
          const params = { invite_only: true, [setting]: value }
          const stream_id = await newChannel(['owner'], params)
          const queues = await Promise.all(
            (['zoe', 'othello'] as const).map((actor) =>
              server.as(actor).watchWith({
                event_types: ['stream', 'subscription'],
                include_subscribers: true,
              }),
            ),
          )
          const drained = () => Promise.all(queues.map((queue) => queue.drain()))
          assert.deepEqual(await come({ outer, inner }), success)
          const [appeared, nothing] = await drained()
          assert.deepEqual(
            appeared?.map(({ type, op }) => `${type}/${op}`),
            ['stream/create', 'subscription/peer_add'],
          )
          assert.deepEqual(nothing, [])
          const streams = appeared?.[0]?.streams as { stream_id: number }[]
          assert.equal(streams[0]?.stream_id, stream_id)
          assert.deepEqual(appeared?.[1]?.user_ids, [ids.owner])
          assert.deepEqual(await go({ outer, inner }), success)
          const gone = {
            type: 'stream',
            op: 'delete',
            stream_ids: [stream_id],
            streams: [{ stream_id }],
          }
          assert.deepEqual(await drained(), [[gone], []])
        })
      }
    }
  }

  test('a whole group comes inside, and goes', async () => {
    const inner = await newGroup(['zoe', 'othello'])
    const outer = await newGroup([])
    await newChannel(['owner', 'othello'], { invite_only: true, can_subscribe_group: outer })
    const [zoe, othello] = [
      await server.as('zoe').watch('stream'),
      await server.as('othello').watch('stream'),
    ]
    assert.deepEqual(await subgroups(outer, { add: [inner] }), success)
    assert.deepEqual(await subgroups(outer, { delete: [inner] }), success)
    assert.deepEqual(
      (await zoe.drain()).map(({ op }) => op),
      ['create', 'delete'],
    )
    assert.deepEqual(await othello.drain(), [], 'a subscriber knows it anyway')
  })

  test('guests learn of nothing that way', async () => {
    const group = await newGroup([])
    await newChannel(['owner'], { invite_only: true, can_subscribe_group: group })
    const queue = await server.as('guest').watch('stream')
    assert.deepEqual(await members(group, { add: [ids.guest] }), success)
    assert.deepEqual(await queue.drain(), [])
  })

  test('who becomes an administrator learns of all private channels and their subscribers', async () => {
    const stream_id = await newChannel(['owner'], { invite_only: true })
    const queue = await server.as('zoe').watch('stream', 'subscription')
    assert.deepEqual(await owner.patch(`/users/${ids.zoe}`, { role: 200 }), success)
    const events = await queue.drain()
    const about = events.filter((event) => JSON.stringify(event).includes(`${stream_id}`))
    assert.deepEqual(
      about.map(({ type, op }) => `${type}/${op}`),
      ['stream/create', 'subscription/peer_add'],
    )
    assert.deepEqual(await owner.patch(`/users/${ids.zoe}`, { role: 400 }), success)
    assert.ok((await queue.drain()).some(({ op }) => op === 'delete'))
  })
})

describe('full members', () => {
  const full = systemGroupId(server.server.context.store, 'role:fullmembers')
  const wait = (days: number) => owner.patch('/realm', { waiting_period_threshold: days })
  const person = async () => await server.enroll(`Newcomer ${++made}`)
  const change = (op: string, ...user_ids: number[]) => ({
    type: 'user_group',
    op,
    group_id: full,
    user_ids,
  })
  const isAbout = (event: Event | undefined, id: number) =>
    (event?.user_ids as number[] | undefined)?.includes(id)
  after(() => wait(0))

  test('are others when the waiting period changes, and who may know of a channel with them', async () => {
    const newcomer = await person()
    const stream_id = await newChannel(['owner'], { invite_only: true, can_subscribe_group: full })
    const queue = await newcomer.watch('user_group', 'stream')
    assert.deepEqual(await wait(1), success)
    const [left, gone, ...rest] = await queue.drain()
    assert.equal(left?.op, 'remove_members')
    assert.ok(isAbout(left, newcomer.id))
    assert.deepEqual([gone?.op, gone?.stream_ids, rest], ['delete', [stream_id], []])
    assert.deepEqual(await wait(0), success)
    const [joined, appeared] = await queue.drain()
    assert.equal(joined?.op, 'add_members')
    assert.ok(isAbout(joined, newcomer.id))
    assert.equal(appeared?.op, 'create')
  })

  test('grow as time goes by', async () => {
    assert.deepEqual(await wait(2), success)
    server.clock.advance(3600 * 1000)
    const first = await person()
    server.clock.advance(24 * 3600 * 1000)
    const second = await person()
    const week = 7 * 24 * 3600
    const asked = { event_types: ['user_group'], idle_queue_timeout: week }
    const queue = await server.as('member').watchWith(asked)
    server.clock.advance(24 * 3600 * 1000 - 1000)
    await server.settled()
    const [other, ...none] = await queue.drain()
    assert.deepEqual([isAbout(other, first.id), none], [false, []], 'not before their time')
    server.clock.advance(1000)
    await server.settled()
    assert.deepEqual(await queue.drain(), [change('add_members', first.id)])
    server.clock.advance(24 * 3600 * 1000)
    await server.settled()
    assert.deepEqual(await queue.drain(), [change('add_members', second.id)])
  })
})

describe('deactivated users are in no group and no value (feature level 303)', () => {
  const value = (...direct_members: number[]) => ({ direct_members, direct_subgroups: [] })
  const both = () => value(ids.zoe, ids.prospero)
  const members = systemGroupId(server.server.context.store, 'role:members')
  const change = (params: object) => owner.patch('/realm', { ...params })

  test('everybody hears of each value that changes, when they go and when they come back', async () => {
    const group = await newGroup(['zoe', 'prospero'])
    const settings = { can_send_message_group: both(), can_administer_channel_group: both() }
    const stream_id = await newChannel(['owner', 'member'], settings)
    await owner.patch(`/user_groups/${group}`, { can_manage_group: { new: both() } })
    await change({ can_create_groups: { new: both() } })
    const types = ['user_group', 'realm', 'stream']
    const queue = await server.as('member').watch(...types)
    assert.deepEqual(await owner.del(`/users/${ids.prospero}`), success)
    const told = (await queue.drain()).filter(
      (event) => !isMembership(event) || event.group_id === group,
    )
    const name = `made ${made}`
    const stream = { type: 'stream', op: 'update', stream_id, name }
    const expected = (left: object) => [
      { type: 'realm', op: 'update_dict', property: 'default', data: { can_create_groups: left } },
      { type: 'user_group', op: 'update', group_id: group, data: { can_manage_group: left } },
      { ...stream, property: 'can_administer_channel_group', value: left },
      { ...stream, property: 'can_send_message_group', value: left },
      { ...stream, property: 'stream_post_policy', value: 1 },
    ]
    const gone = { type: 'user_group', op: 'remove_members', group_id: group }
    assert.deepEqual(told, [{ ...gone, user_ids: [ids.prospero] }, ...expected(value(ids.zoe))])
    assert.deepEqual(await owner.post(`/users/${ids.prospero}/reactivate`), success)
    const back = (await queue.drain()).filter(
      (event) => !isMembership(event) || event.group_id === group,
    )
    const joined = { ...gone, op: 'add_members' }
    assert.deepEqual(back, [{ ...joined, user_ids: [ids.prospero] }, ...expected(both())])
    const { state } = await server.as('member').watch(...types)
    assert.deepEqual(state.realm_can_create_groups, both())
    await change({
      can_create_groups: { new: members },
    })
  })

  test('old clients hear it too, in the numbers they know', async () => {
    const channelMakers = { direct_members: [ids.admin, ids.moderator], direct_subgroups: [] }
    await change({ can_create_public_channel_group: { new: channelMakers } })
    const queue = await server.as('member').watch('realm')
    assert.deepEqual(await owner.del(`/users/${ids.moderator}`), success)
    const [event] = await queue.drain()
    assert.deepEqual(event?.data, {
      can_create_public_channel_group: { direct_members: [ids.admin], direct_subgroups: [] },
      create_public_stream_policy: 2,
    })
    await owner.post(`/users/${ids.moderator}/reactivate`)
    await change({ can_create_public_channel_group: { new: members } })
  })

  function isMembership(event: Event): boolean {
    return event.type === 'user_group' && String(event.op).endsWith('_members')
  }
})

describe('a limited guest', () => {
  before(() =>
    owner.patch('/realm', {
      can_access_all_users_group: {
        new: systemGroupId(server.server.context.store, 'role:members'),
      },
    }),
  )

  /** Somebody whom nobody knows yet, bots aside. */
  async function stranger(): Promise<number> {
    made += 1
    const { user_id } = await owner.post<{ user_id: number }>('/users', {
      email: `stranger${made}@zulip.com`,
      full_name: `Stranger ${made}`,
      password: 'correct horse battery',
    })
    const { streams } = await owner.get<{ streams: { name: string }[] }>('/streams')
    const subscriptions = streams.map(({ name }) => name)
    await owner.del('/users/me/subscriptions', { subscriptions, principals: [user_id] })
    return user_id
  }

  const subscribe = (name: string, ...principals: number[]) =>
    owner.post('/users/me/subscriptions', { subscriptions: [{ name }], principals })
  const unsubscribe = (name: string, ...principals: number[]) =>
    owner.del('/users/me/subscriptions', { subscriptions: [name], principals })

  type Step = (place: { name: string; id: number; other: number }) => Promise<{ result: string }>
  const { guest } = ids
  // biome-ignore format: a table reads best in columns
  const rows: [string, inside: boolean[], come: Step, go: Step][] = [
    ['who subscribes where the guest is',  [true, false],
      ({ name, other }) => subscribe(name, other), ({ name, other }) => unsubscribe(name, other)],
    ['where the guest subscribes',         [false, true],
      ({ name }) => subscribe(name, guest), ({ name }) => unsubscribe(name, guest)],
    ['with whom the guest subscribes',     [false, false],
      ({ name, other }) => subscribe(name, guest, other), ({ name, other }) => unsubscribe(name, guest, other)],
    ['of a channel that returns',          [true, true],
      ({ id }) => owner.patch(`/streams/${id}`, { is_archived: false }), ({ id }) => owner.del(`/streams/${id}`)],
  ]
  for (const [who, [guestIn, otherIn], come, go] of rows) {
    test(`learns of somebody ${who}, and loses them again`, async () => {
      const other = await stranger()
      const id = await newChannel([], { description: '' })
      const name = `made ${made}`
      const inside = [...(guestIn ? [guest] : []), ...(otherIn ? [other] : [])]
      if (inside.length > 0) await subscribe(name, ...inside)
      if (guestIn && otherIn) await owner.del(`/streams/${id}`)
      const queue = await server.as('guest').watch('realm_user')
      const others = await server.as('outsider').watch('realm_user')
      assert.equal((await come({ name, id, other })).result, 'success')
      const [event, ...more] = await queue.drain()
      assert.deepEqual(more, [])
      assert.equal(event?.op, 'add')
      const person = event?.person as { user_id: number; full_name: string }
      assert.equal(person.user_id, other)
      assert.match(person.full_name, /^Stranger/)
      assert.equal((await go({ name, id, other })).result, 'success')
      const gone = { user_id: other, full_name: 'Unknown user' }
      assert.deepEqual(await queue.drain(), [{ type: 'realm_user', op: 'remove', person: gone }])
      assert.deepEqual(await others.drain(), [], 'others knew all along')
    })
  }

  test('learns of whom they write to, and of who writes to them', async () => {
    const queue = await server.as('guest').watch('realm_user', 'message')
    await server.say('cordelia', ['guest', 'othello'])
    const before = await queue.drain()
    await server.say('cordelia', ['guest', 'othello'])
    const events = [...before, ...(await queue.drain())]
    const added = events.filter(({ op }) => op === 'add').map(({ person }) => person as object)
    assert.deepEqual(
      added.filter((person) => 'user_id' in person && person.user_id === ids.owner),
      [],
    )
    assert.equal(events.at(-1)?.type, 'message')
  })

  test('keeps those with whom another place is shared', async () => {
    const other = await stranger()
    await newChannel([])
    const first = `made ${made}`
    await newChannel([])
    const second = `made ${made}`
    const queue = await server.as('guest').watch('realm_user')
    await subscribe(first, guest, other)
    await subscribe(second, guest, other)
    await unsubscribe(first, other)
    assert.deepEqual(
      (await queue.drain()).map(({ op }) => op),
      ['add'],
    )
    await unsubscribe(second, guest)
    assert.deepEqual(
      (await queue.drain()).map(({ op }) => op),
      ['remove'],
    )
  })

  test('has the people of before with the events since, whatever happens', async () => {
    const types = { event_types: ['realm_user'], fetch_event_types: ['realm_user'] }
    const forms = [{ user_list_incomplete: true }, {}].map((client_capabilities) => ({
      ...types,
      client_capabilities,
    }))
    const queues = await Promise.all(forms.map((form) => server.as('guest').watchWith(form)))
    const known = queues.map(({ state }) => peopleOf(state))
    const people = [await stranger(), await stranger(), await stranger(), ids.zoe, guest]
    const places: { name: string; id: number }[] = []
    for (let i = 0; i < 4; i++) places.push({ id: await newChannel([]), name: `made ${made}` })
    let seed = 7
    const one = <T>(from: readonly T[]) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return from[Math.floor((seed / 2_147_483_648) * from.length)] as T
    }
    const acts = [
      () => subscribe(one(places).name, one(people), one(people)),
      () => subscribe(one(places).name, guest),
      () => unsubscribe(one(places).name, one(people), one(people)),
      () => unsubscribe(one(places).name, guest),
      () => owner.del(`/streams/${one(places).id}`),
      () => owner.patch(`/streams/${one(places).id}`, { is_archived: false }),
    ]
    for (let step = 0; step < 120; step++) {
      // Late, for it brings them together for good.
      if (step === 100) await server.say('zoe', ['guest'])
      await one(acts)()
      if (step % 10 > 0) continue
      for (const [i, queue] of queues.entries()) {
        const mine = known[i] as Map<number, string>
        for (const { op, person } of await queue.drain()) {
          const { user_id, full_name } = person as { user_id: number; full_name: string }
          if (op === 'remove' && i === 0) mine.delete(user_id)
          else if (full_name !== undefined) mine.set(user_id, full_name)
        }
        const { state } = await server.as('guest').watchWith(forms[i] ?? {})
        assert.deepEqual([...mine].sort(), [...peopleOf(state)].sort(), `after ${step} steps`)
      }
    }
  })

  function peopleOf(state: Readonly<Record<string, unknown>>): Map<number, string> {
    const people = state.realm_users as { user_id: number; full_name: string }[]
    return new Map(people.map(({ user_id, full_name }) => [user_id, full_name]))
  }
})
