import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { effect } from '@preact/signals-core'
import { CallError } from '#client/api/api.ts'
import { startMachine } from '#client/state/machine.ts'
import type { MessageChange, UpdateMachine } from '#client/state/store.ts'
import { serverOffset } from '#client/ui/server-time.ts'
import { startServer } from '#test/support/server.ts'
import { differences } from './compare.ts'
import { apiOf, follow, type TestApi, until } from './support.ts'

const server = await startServer()
after(server.close)

const running: UpdateMachine[] = []
afterEach(() => {
  for (const machine of running.splice(0)) machine.stop()
})

async function start(api: TestApi, isActive = true): Promise<UpdateMachine> {
  const options = { clock: server.clock, random: () => 0, isActive: () => isActive }
  const machine = await startMachine(api, options)
  running.push(machine)
  return machine
}

const isPolling = (api: TestApi) => api.calls.filter((call) => call === 'GET /events').length

test('what a poll brings is applied in one batch', async () => {
  const api = apiOf(server.as('member'))
  const machine = await start(api)
  const { store } = machine
  const seen: number[] = []
  const stop = effect(() => void seen.push(store.messages.all.size))
  await until(() => isPolling(api) > 0)
  api.isCut = true
  machine.wake()
  await until(() => machine.connection.peek().state === 'reconnecting')
  for (let i = 0; i < 2; i++) await server.say('owner', 'shared')
  api.isCut = false
  machine.wake()
  await until(() => store.messages.current.size === 2)
  stop()
  assert.deepEqual(seen, [0, 2])
})

test('without a network it tries again, ever more rarely, and misses nothing', async () => {
  const api = apiOf(server.as('member'))
  const machine = await start(api)
  await until(() => isPolling(api) > 0)
  api.isCut = true
  machine.wake()
  const waits: number[] = []
  for (let polls = isPolling(api); waits.length < 9; polls += 1) {
    await until(() => machine.connection.peek().state === 'reconnecting' && isPolling(api) > polls)
    const connection = machine.connection.peek()
    assert.equal(connection.state, 'reconnecting')
    const wait = connection.state === 'reconnecting' ? connection.nextTry - server.clock.now() : 0
    waits.push(wait)
    server.clock.advance(wait)
  }
  assert.deepEqual(waits, [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000])
  const id = await server.say('owner', 'shared')
  api.isCut = false
  machine.wake()
  await until(() => machine.connection.peek().state === 'connected')
  assert.ok(machine.store.messages.has(id))
})

test('a queue that is gone is registered anew in place', async () => {
  const client = server.as('member')
  const api = apiOf(client)
  const machine = await start(api)
  const { store, queueId } = machine
  const first = await server.say('owner', 'shared')
  await until(() => store.messages.has(first))
  const changes: MessageChange[] = []
  store.onMessages((change) => void changes.push(change))
  api.isCut = true
  machine.wake()
  await until(() => machine.connection.peek().state === 'reconnecting')
  await client.del('/events', { queue_id: queueId })
  await client.post('/messages/flags', { messages: [first], op: 'add', flag: 'read' })
  await client.post('/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
  await server.say('owner', 'shared', 'while away')
  api.isCut = false
  machine.wake()
  await until(() => machine.queueId !== queueId)
  assert.equal(machine.store, store)
  assert.ok(changes.some(({ kind }) => kind === 'restart'))
  assert.deepEqual([...(store.messages.peek(first)?.flags ?? [])], ['read', 'starred'])
  const follower = await follow(server, client)
  assert.deepEqual(differences(store, follower.store), [])
  const last = await server.say('owner', 'shared')
  await until(() => store.messages.has(last))
})

test('a server that forgets each queue is registered with after ever longer pauses', async () => {
  const api = apiOf(server.as('member'))
  const machine = await start(api)
  await until(() => isPolling(api) > 0)
  api.before = (method, path) => {
    if (method === 'GET' && path === '/events') {
      throw new CallError('Bad event queue ID', 'BAD_EVENT_QUEUE_ID', 400)
    }
  }
  const registered = () => api.calls.filter((call) => call === 'POST /register').length
  machine.wake()
  const counts: number[] = []
  const waits: number[] = []
  for (let turn = 0; turn < 4; turn++) {
    await until(() => machine.connection.peek().state === 'reconnecting')
    await idle()
    counts.push(registered())
    const connection = machine.connection.peek()
    const wait = connection.state === 'reconnecting' ? connection.nextTry - server.clock.now() : 0
    waits.push(wait)
    machine.connection.value = { state: 'connected' }
    server.clock.advance(wait)
  }
  // The first forgotten queue is replaced at once; those after it may be the server's fault.
  assert.deepEqual(counts, [2, 3, 4, 5])
  assert.deepEqual(waits, [50, 100, 200, 400])
})

/** Lets everything happen that needs no timer. */
async function idle(): Promise<void> {
  await server.settled()
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
}

test('a server that was started anew may have a newer program', async () => {
  const api = apiOf(server.as('member'))
  let reloads = 0
  const machine = await startMachine(api, {
    clock: server.clock,
    onReload: () => {
      reloads += 1
    },
  })
  running.push(machine)
  await until(() => isPolling(api) > 0)
  // The poll waits there.
  await server.settled()
  await new Promise((resolve) => setTimeout(resolve))
  const { zulip_version, zulip_merge_base, zulip_feature_level } = machine.store.realm.peek()
  const version = { zulip_version, zulip_merge_base, zulip_feature_level }
  const restart = { type: 'restart', ...version, server_generation: 7 }
  server.server.context.queues.dispatch(restart, () => true)
  await until(() => machine.store.realm.peek().server_generation === 7)
  assert.equal(reloads, 1)
})

test('who is logged out is told so, and polls no more', async () => {
  const api = apiOf(server.as('member'))
  const machine = await start(api)
  await until(() => isPolling(api) > 0)
  api.before = () => {
    throw new CallError('Not logged in: API authentication or user session required', 'X', 401)
  }
  machine.wake()
  await until(() => machine.connection.peek().state === 'logged-out')
  const polls = isPolling(api)
  server.clock.advance(60_000)
  assert.equal(isPolling(api), polls)
})

test('a refused registration is the answer; one that did not arrive is tried again', async () => {
  const api = apiOf(server.as('member'))
  api.before = () => {
    throw new CallError('No', 'UNAUTHORIZED', 401)
  }
  await assert.rejects(startMachine(api), { code: 'UNAUTHORIZED' })
  api.before = () => undefined
  api.isCut = true
  const problems: string[] = []
  const starting = startMachine(api, {
    clock: server.clock,
    onProblem: ({ code }) => void problems.push(code),
  })
  await until(() => problems.length > 0)
  api.isCut = false
  server.clock.advance(100)
  running.push(await starting)
  assert.deepEqual(problems, ['NETWORK'])
})

test('it says that the user is there, and learns of the others', async () => {
  const [api, other] = [apiOf(server.as('cordelia')), apiOf(server.as('othello'))]
  const machine = await start(api, false)
  await start(other)
  const { cordelia, othello } = server.ids
  await until(() => other.calls.includes('POST /users/me/presence'))
  server.clock.advance(120_000)
  const now = Math.floor(server.clock.now() / 1000)
  await until(() => (machine.store.presences.peek(othello)?.activeAt ?? 0) === now)
  const own = machine.store.presences.peek(cordelia)
  assert.ok((own?.activeAt ?? 0) < now)
})

test("times are the server's, also after someone has set the clock of the device", async () => {
  const { clock } = server
  const yearOff = 365 * 86_400_000
  let isWrong = true
  const device = { ...clock, now: () => clock.now() + (isWrong ? yearOff : 0) }
  const api = apiOf(server.as('othello'))
  const machine = await startMachine(api, { clock: device, random: () => 0 })
  running.push(machine)
  const days = () => Math.round(serverOffset() / 86_400)
  assert.equal(days(), -365)
  isWrong = false
  clock.advance(60_000)
  await until(() => days() === 0)
})

test('who types is shown until they stop, send, or are not heard of', async () => {
  const api = apiOf(server.as('member'))
  const { store } = await start(api)
  await until(() => isPolling(api) > 0)
  const { owner, admin, member } = server.ids
  const type = (op: string) =>
    server.as('owner').post('/typing', { op, type: 'direct', to: [member, admin] })
  const typists = () => [...(store.typing.peek(`dm:${owner},${admin}`)?.keys() ?? [])]
  await type('start')
  await until(() => typists().includes(owner))
  await type('stop')
  await until(() => typists().length === 0)
  await type('start')
  await until(() => typists().includes(owner))
  await server.say('owner', ['member', 'admin'])
  await until(() => typists().length === 0)
  await type('start')
  await until(() => typists().includes(owner))
  server.clock.advance(store.realm.peek().server_typing_started_expiry_period_milliseconds)
  assert.deepEqual(typists(), [])
})

test('who edits a message is shown until they stop, save, or send no more notices', async () => {
  const api = apiOf(server.as('member'))
  const { store } = await start(api)
  await until(() => isPolling(api) > 0)
  const owner = server.as('owner')
  const id = await server.say('owner', 'shared', 'edits', 'A first version')
  const type = (op: string) => owner.post(`/messages/${id}/typing`, { op })
  const isEdited = () => store.editTyping.has(id)
  await type('start')
  await until(isEdited)
  await type('stop')
  await until(() => !isEdited())
  await type('start')
  await until(isEdited)
  await owner.patch(`/messages/${id}`, { content: 'A second version' })
  await until(() => !isEdited())
  await type('start')
  await until(isEdited)
  server.clock.advance(store.realm.peek().server_typing_started_expiry_period_milliseconds)
  assert.equal(isEdited(), false)
})
