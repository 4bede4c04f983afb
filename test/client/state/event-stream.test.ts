import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { createEventStream } from '#client/state/event-stream.ts'
import { startMachine } from '#client/state/machine.ts'
import type { UpdateMachine } from '#client/state/store.ts'
import { type Clock, manualClock } from '#platform/clock.ts'
import { startServer } from '#test/support/server.ts'
import { apiOf, type TestApi, until } from './support.ts'

const server = await startServer()
after(server.close)

const running: UpdateMachine[] = []
afterEach(() => {
  for (const machine of running.splice(0)) machine.stop()
})

type Open = Parameters<typeof createEventStream>[0]['open']

const member = server.as('member')

/** Asks for a stream as a browser does, but with a key. */
const open: Open = async ({ queue_id, last_event_id }, signal) => {
  const params = new URLSearchParams({ queue_id, last_event_id: String(last_event_id) })
  const authorization = `Basic ${btoa(`${member.email}:${member.apiKey}`)}`
  const url = `${server.url}/api/v1/events/stream?${params}`
  return await fetch(url, { headers: { authorization }, signal })
}

/** A client that gets its events by streams. @param asking how it asks for the nth */
async function start(asking: (n: number) => Open = () => open, clock: Clock = server.clock) {
  const api = apiOf(member)
  const machine = await startMachine(api, { clock: server.clock, random: () => 0 })
  running.push(machine)
  const { store } = machine
  let streams = 0
  let begun = 0
  machine.useStreams(
    createEventStream({
      api,
      clock,
      async open(...call) {
        streams += 1
        const response = await asking(streams)(...call)
        begun += 1
        return response
      },
      silenceSeconds: () => 90,
    }),
  )
  return { api, machine, store, streams: () => streams, begun: () => begun }
}

const polls = (api: TestApi) => api.calls.filter((call) => call === 'GET /events').length

/** A reply that brings what is enqueued. */
function replyOf(begin: (controller: ReadableStreamDefaultController) => void): Open {
  return (_params, signal) => {
    const body = new ReadableStream({
      start(controller) {
        begin(controller)
        signal.addEventListener('abort', () => controller.error(signal.reason))
      },
    })
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
  }
}

const sign = new TextEncoder().encode(':\n\n')

test('events come by a stream, without a poll, and are acknowledged later', async () => {
  const { api, machine, store, streams, begun } = await start()
  await until(() => begun() === 1)
  const before = polls(api)
  const ids: number[] = []
  for (let i = 0; i < 3; i++) {
    const id = await server.say('owner', 'shared')
    ids.push(id)
    await until(() => store.messages.has(id))
  }
  assert.equal(polls(api), before)
  assert.ok(!api.calls.includes('POST /events/acknowledge'))
  server.clock.advance(30_000)
  await until(() => api.calls.includes('POST /events/acknowledge'))
  assert.equal(streams(), 1)
  const { queueId, position } = machine
  const params = { queue_id: queueId, last_event_id: position.lastEventId - 1, dont_block: true }
  const ask = () => member.get('/events', params)
  let answer = await ask()
  // Until that has arrived, they can be asked for again.
  while (answer.result === 'success') answer = await ask()
  assert.equal(answer.code, 'BAD_EVENT_QUEUE_ID')
})

test('events are acknowledged before the server would wait for that, however fast they come', async () => {
  const { api, store, streams, begun } = await start()
  await until(() => begun() === 1)
  const long = 'long '.repeat(1900)
  let id = 0
  for (let i = 0; i < 30; i++) id = await server.say('owner', 'shared', 'fast', long)
  await until(() => store.messages.has(id))
  await until(() => api.calls.includes('POST /events/acknowledge'))
  assert.equal(streams(), 1)
})

test('a stream that breaks is followed by a poll and another stream, and nothing is missed', async () => {
  const breaking: (() => void)[] = []
  const { store, begun } = await start(() => async (params, signal) => {
    const own = new AbortController()
    breaking.push(() => own.abort())
    return await open(params, AbortSignal.any([signal, own.signal]))
  })
  await until(() => begun() === 1)
  const first = await server.say('owner', 'shared')
  await until(() => store.messages.has(first))
  breaking[0]?.()
  const second = await server.say('owner', 'shared')
  await until(() => store.messages.has(second))
  await until(() => begun() === 2)
  const third = await server.say('owner', 'shared')
  await until(() => store.messages.has(third))
})

test('where no stream gets through, polls go on, and streams are tried again later', async () => {
  // Its own, so that polls do not time out.
  const clock = manualClock(0)
  const blocked = replyOf(() => {})
  const { api, store, streams, begun } = await start((n) => (n === 1 ? blocked : open), clock)
  await until(() => begun() === 1)
  const before = polls(api)
  clock.advance(8000)
  await until(() => polls(api) === before + 1)
  for (let i = 0; i < 3; i++) {
    const id = await server.say('owner', 'shared')
    await until(() => store.messages.has(id))
  }
  assert.equal(streams(), 1)
  clock.advance(600_000)
  // The poll that waits lasts until something happens.
  const next = await server.say('owner', 'shared')
  await until(() => store.messages.has(next) && begun() === 2)
  const last = await server.say('owner', 'shared')
  await until(() => store.messages.has(last))
})

test('a stream that begins and is then held back gives way to polls', async () => {
  const { api, store, streams } = await start((n) =>
    n === 1 ? replyOf((controller) => controller.enqueue(sign)) : open,
  )
  await until(() => streams() === 1)
  const before = polls(api)
  server.clock.advance(8000)
  const id = await server.say('owner', 'shared')
  assert.equal(polls(api), before, 'it may be that nothing happens')
  server.clock.advance(90_000)
  await until(() => store.messages.has(id))
  assert.equal(streams(), 1)
})

test('streams that are cut at once are given up after the third', async () => {
  const cut = replyOf((controller) => {
    controller.enqueue(sign)
    controller.close()
  })
  const { store, streams } = await start(() => cut)
  for (let i = 0; i < 5; i++) {
    const id = await server.say('owner', 'shared')
    await until(() => store.messages.has(id))
  }
  assert.equal(streams(), 3)
})

test('a queue that is gone is registered anew, and followed', async () => {
  const { machine, store, begun } = await start()
  const { queueId } = machine
  await until(() => begun() === 1)
  await member.del('/events', { queue_id: queueId })
  await until(() => machine.queueId !== queueId && begun() === 2)
  const id = await server.say('owner', 'shared')
  await until(() => store.messages.has(id))
})

test('the window that comes back asks at once', async () => {
  const { api, machine, begun } = await start()
  await until(() => begun() === 1)
  const before = polls(api)
  machine.wake()
  await until(() => polls(api) === before + 1 && begun() === 2)
})
