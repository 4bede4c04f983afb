import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '#features/people/users/queries.ts'
import { type Line, latencyLine } from './figures.ts'
import { ask, type Connection, encodeForm, getRequest, openConnection, poster } from './http.ts'
import { addChannel, addPeople, seedFolder } from './organization.ts'
import { type Program, startServer } from './processes.ts'

const queueCount = 1000
const rounds = 40
const warmUps = 10
/** From the newest poll until the next message, in milliseconds: all polls are parked by then. */
const restMs = 100

/** A client that waits for its next event. */
interface Listener {
  readonly connection: Connection
  poll(lastEventId: number): string
  lastEventId: number
}

/** From the request that sends a message to its event at each of 1 000 clients that wait for it. */
export async function measureDelivery(program: Program, folder: string): Promise<Line[]> {
  const data = join(folder, 'delivery')
  mkdirSync(data)
  const { people, channel } = await seedFolder(data, (tx) => {
    const people = addPeople(tx, queueCount)
    return { people, channel: addChannel(tx, 'everybody', people) }
  })
  const server = await startServer(program.file, data)
  const listeners = await Promise.all(people.map((user) => listen(server.port, user)))
  const sending = await openConnection(server.port)
  const post = poster('/api/v1/messages', people[0])
  const times: number[] = []
  for (let round = 0; round < warmUps + rounds; round++) {
    const content = `Message number ${round}.`
    const form = { type: 'channel', to: channel.id, topic: 'events', content }
    const measured = await broadcast(listeners, () => ask(sending, post(encodeForm(form))))
    if (round >= warmUps) times.push(...measured)
  }
  for (const { connection } of listeners) connection.close()
  sending.close()
  await server.stop()
  return [latencyLine(`from a send to its event in each of ${queueCount} queues`, times, 25)]
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
