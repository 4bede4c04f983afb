import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { loadBots } from '#client/settings/load-bots.ts'
import { messageFromWire } from '#client/state/from-wire.ts'
import {
  canKeepEvent,
  type KeptState,
  keptChannels,
  keptMessages,
  keptPeople,
  keptRest,
  restoreStore,
} from '#client/state/kept.ts'
import { resumeMachine, startMachine } from '#client/state/machine.ts'
import type { QueuePosition, Store, UpdateMachine } from '#client/state/store.ts'
import { startServer } from '#test/support/server.ts'
import { differences } from './compare.ts'
import { apiOf, follow, type TestApi, until } from './support.ts'

const server = await startServer()
after(server.close)

const running: UpdateMachine[] = []
afterEach(() => {
  for (const machine of running.splice(0)) machine.stop()
})

/** As a browser's database gives back what it was given. */
function kept(store: Store, ids: Iterable<number> = store.messages.current.keys()): KeptState {
  const messages = keptMessages(store, ids)
  return structuredClone({
    ...keptPeople(store),
    ...keptChannels(store),
    ...messages,
    ...keptRest(store, messages),
  })
}

async function start(api: TestApi): Promise<UpdateMachine> {
  const machine = await startMachine(api, { clock: server.clock, random: () => 0 })
  running.push(machine)
  return machine
}

/** A page that is left: its store as it was then, and where it was in its queue. */
async function leave(machine: UpdateMachine) {
  const left = {
    kept: kept(machine.store),
    position: { ...machine.position } as { -readonly [K in keyof QueuePosition]: QueuePosition[K] },
  }
  machine.stop()
  await server.settled()
  return left
}

function resume(
  api: TestApi,
  left: Awaited<ReturnType<typeof leave>>,
  isOurs = true,
): UpdateMachine {
  const store = restoreStore(left.kept, server.clock)
  const resumed = { store, position: left.position, isOurs: Promise.resolve(isOurs) }
  const machine = resumeMachine(api, resumed, { clock: server.clock, random: () => 0 })
  running.push(machine)
  return machine
}

/** Polls a queue as the page that is left would, and at once. @returns the newest event */
async function poll({ queueId, lastEventId }: QueuePosition): Promise<number> {
  const params = { queue_id: queueId, last_event_id: lastEventId, dont_block: true }
  const { events } = await server.as('member').get<{ events: { id: number }[] }>('/events', params)
  return events.at(-1)?.id ?? lastEventId
}

const registrations = (api: TestApi) => api.calls.filter((call) => call === 'POST /register').length

test('what is kept of a store makes the same store again', async () => {
  const member = await follow(server, server.as('member'))
  const ids = [
    await server.say('owner', 'shared', 'one'),
    await server.say('owner', 'shared', 'two'),
  ]
  await server.as('member').post('/messages/flags', { messages: ids, op: 'add', flag: 'starred' })
  await server.as('member').post('/reminders', {
    message_id: ids[0],
    scheduled_delivery_timestamp: Math.floor(server.clock.now() / 1000) + 3600,
  })
  await member.catchUp()
  assert.equal(member.store.reminders.current.size, 1)
  const again = restoreStore(kept(member.store), server.clock)
  assert.deepEqual(differences(again, member.store), [])
  assert.deepEqual(
    [...again.messages.current.values()],
    [...member.store.messages.current.values()],
  )
  assert.deepEqual(again.recent.topics.value, member.store.recent.topics.value)
})

test('no key of a bot is kept: the settings fetch them once, after the events that come meanwhile', async () => {
  const owner = server.as('owner')
  const bot = { full_name: 'Kept out', short_name: 'kept-out' }
  const { api_key } = (await owner.post('/bots', bot)) as unknown as { api_key: string }
  const { store, watch } = await follow(server, owner)
  assert.equal(store.areBotsKnown, true)
  const text = JSON.stringify(kept(store), (_, value) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  )
  assert.ok(text.includes('Kept out'))
  assert.ok(!text.includes(api_key))
  await owner.post('/bots', { full_name: 'Another', short_name: 'another' })
  const events = (await watch.drain()) as unknown as Parameters<typeof canKeepEvent>[0][]
  const withKeys = events.filter((event) => JSON.stringify(event).includes('api_key'))
  assert.ok(withKeys.length > 0)
  assert.deepEqual(withKeys.filter(canKeepEvent), [])

  const again = restoreStore(kept(store), server.clock)
  assert.equal(again.areBotsKnown, false)
  const names = () => again.realm.peek().realm_bots.map(({ full_name }) => full_name)
  assert.deepEqual(names(), [])
  const api = apiOf(owner)
  const racing: TestApi = {
    ...api,
    async post<T>(...call: Parameters<TestApi['post']>): Promise<T> {
      const reply = await api.post<T>(...call)
      if (registrations(api) > 1) return reply
      await owner.post('/bots', { full_name: 'Late', short_name: 'late' })
      again.apply((await watch.drain()) as never)
      return reply
    },
  }
  await loadBots({ api: racing, store: again })
  for (const name of ['Another', 'Kept out', 'Late']) assert.ok(names().includes(name), name)
  assert.ok(
    again.realm.peek().realm_bots.some((one) => 'api_key' in one && one.api_key === api_key),
  )
  assert.equal(registrations(api), 2)
  assert.equal(api.calls.filter((call) => call === 'DELETE /events').length, 2)
  await loadBots({ api, store: again })
  assert.equal(registrations(api), 2)
  // Still unknown to the next page, as there are some.
  assert.equal(restoreStore(kept(again), server.clock).areBotsKnown, false)
})

test('a message of which events may have been missed is not kept', async () => {
  const client = server.as('member')
  const { store, anew } = await follow(server, client)
  const id = await server.say('owner', 'shared')
  store.addMessages(
    (
      await client.get<{ messages: never[] }>('/messages', {
        message_ids: [id],
      })
    ).messages.map((wire) => messageFromWire(wire, store.selfId)),
  )
  assert.deepEqual(
    keptMessages(store, [id, 999_999]).messages.map((message) => message.id),
    [id],
  )
  await anew()
  store.restart(
    await client.post('/register', (await import('#client/state/registration.ts')).registration),
  )
  assert.deepEqual(keptMessages(store, [id]).messages, [])
})

test('a page goes on with the queue of the last one, and registers nothing', async () => {
  const api = apiOf(server.as('member'))
  const left = await leave(await start(api))
  const id = await server.say('owner', 'shared', 'meanwhile')
  const machine = resume(api, left)
  assert.equal(machine.isCaughtUp.peek(), false)
  await until(() => machine.store.messages.has(id))
  assert.equal(machine.isCaughtUp.peek(), true)
  assert.equal(machine.queueId, left.position.queueId)
  assert.equal(registrations(api), 1)
  const last = await server.say('owner', 'shared')
  await until(() => machine.store.messages.has(last))
})

test('a page goes on with a queue that leaves out IDs, as it does for messages that others got', async () => {
  const api = apiOf(server.as('member'))
  const first = await start(api)
  const known = await server.say('owner', 'shared', 'known')
  await until(() => first.store.messages.has(known))
  const left = await leave(first)
  await poll(left.position)
  server.clock.advance(40_000)
  await server.say('owner', ['admin'], '', 'between others')
  const id = await server.say('owner', 'shared', 'meanwhile')
  const machine = resume(api, left)
  await until(() => machine.store.messages.has(id))
  assert.ok(machine.position.lastEventId > left.position.lastEventId + 1)
  assert.equal(machine.queueId, left.position.queueId)
  assert.equal(registrations(api), 1)
})

test('a page registers anew, in the same store', async (t) => {
  const client = server.as('member')
  const take = async ({ position }: { readonly position: QueuePosition }) => {
    await server.say('owner', 'shared')
    await poll({ ...position, lastEventId: await poll(position) })
  }
  const cases: Record<string, (left: Awaited<ReturnType<typeof leave>>) => unknown> = {
    'where the queue is gone': ({ position }) =>
      client.del('/events', { queue_id: position.queueId }),
    'where the first events were taken, and are not kept': take,
    'where later events were taken, and are not kept': async (left) => {
      await server.say('owner', 'shared')
      left.position.lastEventId = await poll(left.position)
      await take(left)
    },
    'where the queue has gone back, as a backup has it': ({ position }) => {
      Object.assign(position, { lastEventId: position.lastEventId + 1000 })
    },
  }
  for (const [when, happen] of Object.entries(cases)) {
    await t.test(when, async () => {
      const api = apiOf(client)
      const left = await leave(await start(api))
      await happen(left)
      const id = await server.say('owner', 'shared', when)
      const machine = resume(api, left)
      const { store } = machine
      await until(() => machine.queueId !== left.position.queueId)
      assert.equal(machine.store, store)
      assert.deepEqual(differences(store, await (await follow(server, client)).anew()), [])
      assert.ok(store.unreads.find(id))
    })
  }
})

test('a second page leaves the queue to the first', async () => {
  const api = apiOf(server.as('member'))
  const left = await leave(await start(api))
  const machine = resume(api, left, false)
  await until(() => machine.queueId !== left.position.queueId)
  assert.equal(registrations(api), 2)
  assert.ok(!api.calls.slice(1).includes('DELETE /events'))
})

test('what was kept opens without a network, and catches up once there is one', async () => {
  const api = apiOf(server.as('member'))
  const first = await start(api)
  const known = await server.say('owner', 'shared', 'known')
  await until(() => first.store.messages.has(known))
  const left = await leave(first)
  api.isCut = true
  const machine = resume(api, left)
  assert.ok(machine.store.messages.has(known))
  await until(() => machine.connection.peek().state === 'reconnecting')
  const missed = await server.say('owner', 'shared', 'missed')
  api.isCut = false
  machine.wake()
  await until(() => machine.store.messages.has(missed))
  assert.equal(registrations(api), 1)
})
