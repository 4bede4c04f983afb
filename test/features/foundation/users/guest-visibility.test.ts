import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { makers } from '#test/support/making.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const { ids } = server
const owner = server.as('owner')
const { newChannel } = makers(server)
let strangers = 0

describe('a limited guest', () => {
  before(() =>
    owner.patch('/realm', {
      can_access_all_users_group: {
        new: systemGroupId(server.server.context.store, 'role:members'),
      },
    }),
  )

  /** Someone whom nobody knows yet, bots aside. */
  async function stranger(): Promise<number> {
    strangers += 1
    const { user_id } = await owner.post<{ user_id: number }>('/users', {
      email: `stranger${strangers}@zulip.com`,
      full_name: `Stranger ${strangers}`,
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
    test(`learns of someone ${who}, and loses them again`, async () => {
      const other = await stranger()
      const { id, name } = await newChannel([])
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
    const { name: first } = await newChannel([])
    const { name: second } = await newChannel([])
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
    for (let i = 0; i < 4; i++) places.push(await newChannel([]))
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
