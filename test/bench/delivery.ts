import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '#features/foundation/users/queries.ts'
import { type Line, latencyLine, median, milliseconds } from './figures.ts'
import { ask, type Connection, encodeForm, getRequest, openConnection, poster } from './http.ts'
import { type Arrived, openQueue, openStream, type Waiter } from './listeners.ts'
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

/** A server with its clients, and what was measured of it. */
interface Lane {
  readonly server: Running
  readonly listeners: readonly Waiter[]
  readonly sending: Connection
  /** A request that sends a message to all of them. */
  send(round: number): string
  /** How long each client waited in each round, in milliseconds. */
  readonly times: number[]
  /** The processor time of each round: its polls, if any, its message, its answers. */
  readonly costs: number[]
}

/**
 * From the request that sends a message to its event at each of 1 000 clients that wait for it, by
 * polls and by streams, and what that costs, beside a bare route in the same minutes.
 */
export async function measureDelivery(program: Program, folder: string): Promise<Line[]> {
  const own = await openOwn(program, join(folder, 'delivery'), listen)
  const streams = await openOwn(program, join(folder, 'delivery-streams'), openStream)
  const bare = await openBare(join(folder, 'delivery-ceiling.db'))
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const lane of [own, streams, bare]) await runRound(lane, round)
  }
  for (const { listeners, sending, server } of [own, streams, bare]) {
    for (const { close } of listeners) close()
    sending.close()
    await server.stop()
  }
  const ratioOf = ({ costs }: Lane) =>
    median(costs.map((cost, round) => cost / (bare.costs[round] ?? 0)))
  const latencyOf = (ways: string, { times }: Lane): Line => ({
    ...latencyLine(`from a send to its event in each of ${queueCount} ${ways}`, times, 25),
    yardstick: `${latencyLine('', bare.times).figure} by a bare route`,
  })
  const costOf = (what: string, lane: Lane): Line => ({
    name: what,
    figure: `${milliseconds(median(lane.costs))}, ${ratioOf(lane).toFixed(2)} times a bare route`,
    target: `<= ${mostCost} times`,
    met: ratioOf(lane) <= mostCost,
    yardstick: `${milliseconds(median(bare.costs))} by a bare route`,
  })
  return [
    latencyOf('polls', own),
    costOf(`CPU of a message to ${queueCount} polls, with the polls`, own),
    latencyOf('streams', streams),
    costOf(`CPU of a message to ${queueCount} streams`, streams),
  ]
}

type Listen = (port: number, user: User) => Promise<Waiter>

async function openOwn(program: Program, data: string, listen: Listen): Promise<Lane> {
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
  const poll = getRequest('/events')
  const post = poster('/messages')
  return {
    server,
    listeners: connections.map((connection) => ({
      async next() {
        const { events } = JSON.parse((await ask(connection, poll)).toString())
        return { events, at: performance.now() }
      },
      close: connection.close,
    })),
    sending: await openConnection(server.port),
    send: (round) => post(formOf(1, round)),
    times: [],
    costs: [],
  }
}

function formOf(to: number, round: number): string {
  return encodeForm({ type: 'channel', to, topic: 'events', content: `Message number ${round}.` })
}

/** Polls, acknowledging with each what came before. */
async function listen(port: number, user: User): Promise<Waiter> {
  const connection = await openConnection(port)
  const params = await openQueue(user, connection)
  let { last_event_id } = params
  const { queue_id } = params
  return {
    async next() {
      const request = getRequest('/api/v1/events', { queue_id, last_event_id }, user)
      const reply = await ask(connection, request)
      const at = performance.now()
      const { events }: { events: Arrived['events'] } = JSON.parse(reply.toString())
      last_event_id = events.at(-1)?.id ?? last_event_id
      return { events, at }
    },
    close: connection.close,
  }
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
  listeners: readonly Waiter[],
  send: () => Promise<unknown>,
): Promise<number[]> {
  const answers = listeners.map((listener) => listener.next())
  await sleep(restMs)
  const sentAt = performance.now()
  const [arrived] = await Promise.all([Promise.all(answers), send()])
  return arrived.map(({ events, at }) => {
    if (events.length !== 1 || events[0]?.type !== 'message') {
      throw new Error(`Not one message but ${JSON.stringify(events)}`)
    }
    return at - sentAt
  })
}
