import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '#features/people/users/queries.ts'
import { type Line, latencyLine, median, milliseconds } from './figures.ts'
import { ask, type Connection, encodeForm, getRequest, openConnection, poster } from './http.ts'
import { addChannel, addPeople, seedFolder } from './organization.ts'
import { type Program, type Running, startCeiling, startServer } from './processes.ts'
import { mainThreadTimes } from './watching.ts'

const queueCount = 1000
const rounds = 40
const warmUps = 10
/** From the newest poll until the next message, in milliseconds: all polls are parked by then. */
const restMs = 100
/** How much more processor time a message may take than where a bare route parks and answers. */
const mostCost = 1.3

/** A client that waits for its next event. */
interface Listener {
  readonly connection: Connection
  poll(lastEventId: number): string
  lastEventId: number
}

/** A server with its clients, and what was measured of it. */
interface Lane {
  readonly server: Running
  readonly listeners: readonly Listener[]
  readonly sending: Connection
  /** A request that sends a message to all of them. */
  send(round: number): string
  /** How long each client waited in each round, in milliseconds. */
  readonly times: number[]
  /** The processor time of each round: its polls, its message, its answers. */
  readonly costs: number[]
}

/**
 * From the request that sends a message to its event at each of 1 000 clients that wait for it, and
 * what that costs, beside a bare route in the same minutes.
 */
export async function measureDelivery(program: Program, folder: string): Promise<Line[]> {
  const own = await openOwn(program, join(folder, 'delivery'))
  const bare = await openBare(join(folder, 'delivery-ceiling.db'))
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const lane of [own, bare]) await runRound(lane, round)
  }
  for (const { listeners, sending, server } of [own, bare]) {
    for (const { connection } of listeners) connection.close()
    sending.close()
    await server.stop()
  }
  const ratio = median(own.costs.map((cost, round) => cost / (bare.costs[round] ?? 0)))
  const latency = latencyLine(
    `from a send to its event in each of ${queueCount} queues`,
    own.times,
    25,
  )
  return [
    { ...latency, yardstick: `${latencyLine('', bare.times).figure} by a bare route` },
    {
      name: `CPU of a message to ${queueCount} polls, with the polls`,
      figure: `${milliseconds(median(own.costs))}, ${ratio.toFixed(2)} times a bare route`,
      target: `<= ${mostCost} times`,
      met: ratio <= mostCost,
      yardstick: `${milliseconds(median(bare.costs))} by a bare route`,
    },
  ]
}

async function openOwn(program: Program, data: string): Promise<Lane> {
  mkdirSync(data)
  const { people, channel } = await seedFolder(data, (tx) => {
    const people = addPeople(tx, queueCount)
    return { people, channel: addChannel(tx, 'everybody', people) }
  })
  const server = await startServer(program.file, data)
  const listeners = await Promise.all(people.map((user) => listen(server.port, user)))
  const post = poster('/api/v1/messages', people[0])
  return {
    server,
    listeners,
    sending: await openConnection(server.port),
    send: (round) => post(formOf(channel.id, round)),
    times: [],
    costs: [],
  }
}

async function openBare(database: string): Promise<Lane> {
  const server = await startCeiling(database)
  const opening = Array.from({ length: queueCount }, () => openConnection(server.port))
  const connections = await Promise.all(opening)
  const poll = () => getRequest('/events')
  const post = poster('/messages')
  return {
    server,
    listeners: connections.map((connection) => ({ connection, poll, lastEventId: 0 })),
    sending: await openConnection(server.port),
    send: (round) => post(formOf(1, round)),
    times: [],
    costs: [],
  }
}

function formOf(to: number, round: number): string {
  return encodeForm({ type: 'channel', to, topic: 'events', content: `Message number ${round}.` })
}

async function listen(port: number, user: User): Promise<Listener> {
  const connection = await openConnection(port)
  const form = encodeForm({ event_types: ['message'], fetch_event_types: [] })
  const reply = await ask(connection, poster('/api/v1/register', user)(form))
  const { queue_id, last_event_id } = JSON.parse(reply.toString())
  const poll = (lastEventId: number) =>
    getRequest('/api/v1/events', { queue_id, last_event_id: lastEventId }, user)
  return { connection, poll, lastEventId: last_event_id }
}

async function runRound(lane: Lane, round: number): Promise<void> {
  const { server, listeners, sending, send, times, costs } = lane
  const before = mainThreadTimes(server.pid).computed
  const measured = await broadcast(listeners, () => ask(sending, send(round)))
  const cost = mainThreadTimes(server.pid).computed - before
  if (round < warmUps) return
  times.push(...measured)
  costs.push(cost)
}

/** @returns how long each listener waited for its event, in milliseconds */
async function broadcast(
  listeners: readonly Listener[],
  send: () => Promise<unknown>,
): Promise<number[]> {
  const answers = listeners.map(async ({ connection, poll, lastEventId }) => {
    const body = await ask(connection, poll(lastEventId))
    return { body, at: performance.now() }
  })
  await sleep(restMs)
  const sentAt = performance.now()
  const [arrived] = await Promise.all([Promise.all(answers), send()])
  return arrived.map(({ body, at }, i) => {
    const { events } = JSON.parse(body.toString())
    const listener = listeners[i]
    if (events.length !== 1 || events[0].type !== 'message' || !listener) {
      throw new Error(`Not one message but ${body}`)
    }
    listener.lastEventId = events[0].id
    return at - sentAt
  })
}
