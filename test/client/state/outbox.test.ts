import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { CallError } from '#client/api/api.ts'
import type { WireMessage } from '#client/api/wire.ts'
import { createOutbox, type StoredOutbox } from '#client/compose/outbox-state.ts'
import { messageFromWire, topicConversation } from '#client/state/from-wire.ts'
import { resumeMachine, startMachine } from '#client/state/machine.ts'
import type { UpdateMachine } from '#client/state/store.ts'
import type { KeyValues } from '#client/ui/browser-storage.ts'
import { type Actor, startServer } from '#test/support/server.ts'
import { apiOf, memoryStorage, type TestApi, until } from './support.ts'

const server = await startServer()
after(server.close)

const running: { stop(): void }[] = []
afterEach(() => {
  for (const part of running.splice(0)) part.stop()
})

const inVerona = topicConversation(server.channels.shared, 'plans')
const unknownOutcome = 'Perhaps it was sent.'

async function open(actor: Actor = 'member', storage: KeyValues = memoryStorage()) {
  const api = apiOf(server.as(actor))
  const machine = await startMachine(api, { clock: server.clock, random: () => 0.5 })
  const settled: string[] = []
  const outbox = createOutbox({
    api,
    machine,
    storage,
    clock: server.clock,
    onSettled: (_, outcome) => void settled.push(outcome),
    unknownOutcome,
    writer: 'first',
    takeOver: async () => false,
  })
  running.push(machine, outbox)
  await until(() => api.calls.includes('GET /events'))
  return { api, machine, outbox, storage, settled }
}

const states = (outbox: StoredOutbox) => outbox.messages.peek().map(({ state }) => state)

/** How often a message is in the conversation, as the server has it. */
async function countSent(content: string): Promise<number> {
  const { messages } = await server.as('member').get<{ messages: WireMessage[] }>('/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
  })
  return messages.filter((message) => message.content === content).length
}

test('a message is shown until its event is there, and is kept until the server has it', async () => {
  const { machine, outbox, storage, settled } = await open()
  const localIds: (string | undefined)[] = []
  machine.store.onMessages((change) => {
    if (change.kind === 'new') localIds.push(change.localId)
  })
  const localId = outbox.send(inVerona, 'Hello there.')
  assert.deepEqual(states(outbox), ['hidden'])
  assert.ok(storage.getItem(`parley:outbox:${server.ids.member}`)?.includes('Hello there.'))
  await until(() => outbox.messages.peek().length === 0)
  assert.deepEqual(localIds, [localId])
  assert.deepEqual(settled, ['sent'])
  assert.equal(storage.getItem(`parley:outbox:${server.ids.member}`), null)
})

test('one that takes long is shown after half a second, and offered again after ten', async () => {
  const { api, outbox } = await open()
  let answer = () => {}
  api.before = (_, path) =>
    path === '/messages' ? new Promise<void>((done) => (answer = done)) : undefined
  outbox.send(inVerona, 'Slowly.')
  server.clock.advance(499)
  assert.deepEqual(states(outbox), ['hidden'])
  server.clock.advance(1)
  assert.deepEqual(states(outbox), ['waiting'])
  server.clock.advance(9500)
  assert.deepEqual(states(outbox), ['slow'])
  answer()
  await until(() => outbox.messages.peek().length === 0)
})

test('a refusal is said in the words of the server; the text can be taken back', async () => {
  const { outbox, storage, settled } = await open()
  const localId = outbox.send(topicConversation(999, 'x'), 'Nowhere.')
  await until(() => states(outbox)[0] === 'failed')
  assert.match(outbox.messages.peek()[0]?.problem ?? '', /channel/i)
  assert.equal(outbox.take(localId)?.content, 'Nowhere.')
  assert.deepEqual(outbox.messages.peek(), [])
  assert.deepEqual(settled, ['taken'])
  assert.equal(storage.getItem(`parley:outbox:${server.ids.member}`), null)
})

test('a message that came too fast is sent again after as many seconds as the server says', async () => {
  const { api, outbox } = await open()
  const sends = () => api.calls.filter((call) => call === 'POST /messages').length
  api.before = (_, path) => {
    if (path !== '/messages') return
    api.before = () => undefined
    throw new CallError('Too fast', 'RATE_LIMIT_HIT', 429, {}, 3)
  }
  outbox.send(inVerona, 'Patiently.')
  await until(() => sends() === 1)
  await new Promise(setImmediate)
  server.clock.advance(2999)
  assert.equal(sends(), 1)
  server.clock.advance(1)
  await until(() => outbox.messages.peek().length === 0)
  assert.equal(sends(), 2)
  assert.equal(await countSent('Patiently.'), 1)
})

async function loseNetwork(api: TestApi, machine: UpdateMachine): Promise<void> {
  api.isCut = true
  machine.wake()
  await until(() => machine.connection.peek().state === 'reconnecting')
}

async function findNetwork(api: TestApi, machine: UpdateMachine): Promise<void> {
  api.isCut = false
  machine.wake()
  await until(() => machine.connection.peek().state === 'connected')
}

/** Waits until nothing is pending, over the pauses: an event that came to a lost queue is not seen. */
async function untilEmpty(outbox: StoredOutbox): Promise<void> {
  await until(() => {
    server.clock.advance(1000)
    return outbox.messages.peek().length === 0
  })
}

/** Cuts the network at the next message, before or after the server has got it. */
function loseNext(api: TestApi, machine: UpdateMachine, arrives: boolean): void {
  const { post } = api
  const cut: TestApi['post'] = async (path, params) => {
    if (path !== '/messages') return post(path, params)
    Object.assign(api, { post })
    await loseNetwork(api, machine)
    if (arrives) await server.as('member').post(path, params)
    throw new CallError('The connection broke', 'NETWORK', 0)
  }
  Object.assign(api, { post: cut })
}

test('what was sent without a network goes out when it is back, once', async () => {
  const { api, machine, outbox } = await open()
  await loseNetwork(api, machine)
  outbox.send(inVerona, 'From the tunnel.')
  server.clock.advance(500)
  assert.deepEqual(states(outbox), ['waiting'])
  assert.equal(api.calls.includes('POST /messages'), false)
  await findNetwork(api, machine)
  await until(() => outbox.messages.peek().length === 0)
  assert.equal(await countSent('From the tunnel.'), 1)
})

test('a message whose answer was lost is not sent twice', async () => {
  const { api, machine, outbox } = await open()
  loseNext(api, machine, true)
  outbox.send(inVerona, 'Once only.')
  await until(() => machine.connection.peek().state === 'reconnecting')
  await findNetwork(api, machine)
  await until(() => outbox.messages.peek().length === 0)
  server.clock.advance(60_000)
  assert.equal(await countSent('Once only.'), 1)
})

for (const arrives of [false, true]) {
  const what = arrives ? 'that the server has got' : 'that the server has not got'
  test(`where the queue is lost with the answer, a message ${what} is there once`, async () => {
    const { api, machine, outbox } = await open()
    const { queueId } = machine
    loseNext(api, machine, arrives)
    outbox.send(inVerona, `Perhaps ${arrives}.`)
    await until(() => machine.connection.peek().state === 'reconnecting')
    await server.as('member').del('/events', { queue_id: queueId })
    await findNetwork(api, machine)
    await untilEmpty(outbox)
    assert.equal(await countSent(`Perhaps ${arrives}.`), 1)
  })
}

test('a refused message says why in the next window too, and is not sent again by itself', async () => {
  const left = await open()
  left.outbox.send(topicConversation(999, 'x'), 'Nowhere again.')
  await until(() => states(left.outbox)[0] === 'failed')
  const [refused] = left.outbox.messages.peek()
  const calls = left.api.calls.filter((call) => call === 'POST /messages').length
  const { machine, outbox } = await reopen(left, false, ['first'])
  await until(() => machine.isCaughtUp.peek())
  assert.deepEqual(outbox.messages.peek(), [refused])
  assert.equal(left.api.calls.filter((call) => call === 'POST /messages').length, calls)
})

test('what is refused because of the log-in goes out after the next one', async () => {
  const left = await open()
  left.api.before = async (method, path) => {
    if (`${method} ${path}` !== 'POST /messages') return
    throw new CallError('Not logged in', 'UNAUTHORIZED', 401)
  }
  left.outbox.send(inVerona, 'After the log-in.')
  await until(() => states(left.outbox)[0] === 'failed')
  left.api.before = () => undefined
  const { outbox } = await reopen(left, false, ['first'])
  await until(() => outbox.messages.peek().length === 0)
  assert.equal(await countSent('After the log-in.'), 1)
})

test('a message of a window that was closed is there in the next one', async () => {
  const { api, machine, outbox, storage } = await open()
  await loseNetwork(api, machine)
  outbox.send(inVerona, 'Before the crash.')
  const next = await open('member', storage)
  assert.deepEqual(states(next.outbox), ['failed'])
  const [message] = next.outbox.messages.peek()
  assert.equal(message?.content, 'Before the crash.')
  // The first window was there after all.
  await findNetwork(api, machine)
  await until(() => outbox.messages.peek().length === 0)
  next.outbox.refresh()
  assert.deepEqual(next.outbox.messages.peek(), [])
  assert.equal(await countSent('Before the crash.'), 1)
})

test('where no event comes, a fetch ends the waiting', async () => {
  const { machine, outbox, settled, api } = await open()
  api.before = (method, path) =>
    `${method} ${path}` === 'GET /events' ? new Promise<void>(() => {}) : undefined
  machine.wake()
  outbox.send(inVerona, 'Fetched.')
  await until(() => api.calls.includes('POST /messages'))
  const found = async () => (await countSent('Fetched.')) === 1
  while (!(await found())) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(settled, [])
  const { messages } = await server.as('member').get<{ messages: WireMessage[] }>('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
  })
  machine.store.addMessages(
    messages.map((message) => messageFromWire(message, machine.store.selfId)),
  )
  await until(() => settled.length > 0)
  assert.deepEqual(outbox.messages.peek(), [])
})

/** Leaves a window and opens the next one, which goes on with its queue if that is its. */
async function reopen(
  left: Awaited<ReturnType<typeof open>>,
  isOurs: boolean,
  gone: readonly string[] = [],
) {
  const { api, machine, storage } = left
  const { store, position } = machine
  for (const part of [machine, left.outbox]) part.stop()
  const resumed = { store, position, isOurs: Promise.resolve(isOurs) }
  const next = resumeMachine(api, resumed, { clock: server.clock, random: () => 0.5 })
  const outbox = createOutbox({
    api,
    machine: next,
    storage,
    clock: server.clock,
    unknownOutcome,
    writer: 'next',
    takeOver: async (writer) => gone.includes(writer),
  })
  running.push(next, outbox)
  return { machine: next, outbox }
}

test('what a window could not send goes out with its queue, once, as the next one goes on with it', async () => {
  const left = await open()
  await loseNetwork(left.api, left.machine)
  left.outbox.send(inVerona, 'From the next window.')
  const { outbox } = await reopen(left, true)
  assert.deepEqual(states(outbox), ['waiting'])
  left.api.isCut = false
  await until(() => outbox.messages.peek().length === 0)
  assert.equal(await countSent('From the next window.'), 1)
})

test('what the server got from a window is not sent again by the next one', async () => {
  const left = await open()
  left.api.before = async (method, path) => {
    if (method !== 'POST' || path !== '/messages') return
    left.api.before = () => undefined
    // The answer never comes, but the message does.
    const { localId = '' } = left.outbox.messages.peek()[0] ?? {}
    await server.as('member').post('/messages', {
      type: 'channel',
      to: server.channels.shared,
      topic: 'plans',
      content: 'Sent by the last window.',
      local_id: localId,
      queue_id: left.machine.queueId,
    })
    await loseNetwork(left.api, left.machine)
  }
  left.outbox.send(inVerona, 'Sent by the last window.')
  await until(() => left.machine.connection.peek().state === 'reconnecting')
  const { outbox } = await reopen(left, true)
  left.api.isCut = false
  await until(() => outbox.messages.peek().length === 0)
  assert.equal(await countSent('Sent by the last window.'), 1)
})

test('a second window leaves to the first what that is sending', async () => {
  const left = await open()
  await loseNetwork(left.api, left.machine)
  left.outbox.send(inVerona, 'Of the first window.')
  const { machine, outbox } = await reopen(left, false)
  left.api.isCut = false
  await until(() => machine.isCaughtUp.peek())
  await until(() => states(outbox)[0] === 'failed')
  assert.equal(await countSent('Of the first window.'), 0)
})

test('what a window never tried to send goes out with another queue, once that window is gone', async () => {
  const left = await open()
  await loseNetwork(left.api, left.machine)
  left.outbox.send(inVerona, 'Of a window that is gone.')
  const { outbox } = await reopen(left, false, ['first'])
  assert.deepEqual(states(outbox), ['waiting'])
  left.api.isCut = false
  await until(() => outbox.messages.peek().length === 0)
  assert.equal(await countSent('Of a window that is gone.'), 1)
})

for (const arrives of [false, true]) {
  const what = arrives ? 'has sent' : 'has tried to send'
  test(`what a window ${what} goes out with another queue, once, when that window is gone`, async () => {
    const left = await open()
    loseNext(left.api, left.machine, arrives)
    left.outbox.send(inVerona, `Tried by a window that is gone: ${arrives}.`)
    await until(() => left.machine.connection.peek().state === 'reconnecting')
    const { outbox } = await reopen(left, false, ['first'])
    left.api.isCut = false
    await untilEmpty(outbox)
    assert.equal(await countSent(`Tried by a window that is gone: ${arrives}.`), 1)
  })
}

test('what it may have sent long ago is asked about', async () => {
  const left = await open()
  loseNext(left.api, left.machine, false)
  left.outbox.send(inVerona, 'Of yesterday.')
  await until(() => left.machine.connection.peek().state === 'reconnecting')
  for (const part of [left.machine, left.outbox]) part.stop()
  server.clock.advance(21 * 3600_000)
  const next = await open('member', left.storage)
  assert.deepEqual(states(next.outbox), ['failed'])
  const [message] = next.outbox.messages.peek()
  assert.equal(message?.problem, unknownOutcome)
  next.outbox.retry(message?.localId ?? '')
  await until(() => next.outbox.messages.peek().length === 0)
  assert.equal(await countSent('Of yesterday.'), 1)
})
