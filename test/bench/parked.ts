import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '#features/people/users/queries.ts'
import type { Line } from './figures.ts'
import { ask, type Connection, encodeForm, getRequest, openConnection, poster } from './http.ts'
import { addPeople, seedFolder } from './organization.ts'
import { type Program, startServer } from './processes.ts'
import { residentMegabytes } from './watching.ts'

const queueCount = 10_000
const queuesPerUser = 50
/** These are there before, so that what the first ones need is not counted. */
const warmUps = 1000
/** How many clients register at a time. */
const atATime = 50
const limitKilobytes = 10
/** How long the server does nothing before its memory is read, in milliseconds. */
const restMs = 5000

const options = { event_types: ['message'], fetch_event_types: [] }

/** What a server holds in memory for each client that waits for its next event. */
export async function measureParked(program: Program, folder: string): Promise<Line[]> {
  const data = join(folder, 'parked')
  mkdirSync(data)
  const users = (queueCount + warmUps) / queuesPerUser
  const people = await seedFolder(data, (tx) => addPeople(tx, users))
  // As a proxy, this machine may have any number of connections.
  const env = { PARLEY_RATE_LIMITS: 'off', PARLEY_TRUSTED_PROXIES: '127.0.0.1' }
  const server = await startServer(program.file, data, env)
  const memoryOf = async (count: number, from: number) => {
    for (let i = 0; i < count; i += atATime) {
      const some = Array.from({ length: atATime }, (_, j) => people[(from + i + j) % users])
      connections.push(...(await Promise.all(some.map((user) => park(server.port, user)))))
    }
    await sleep(restMs)
    return residentMegabytes(server.pid)
  }
  const connections: Connection[] = []
  const before = await memoryOf(warmUps, 0)
  const after = await memoryOf(queueCount, warmUps)
  for (const { close } of connections) close()
  await server.stop()
  const kilobytes = ((after - before) * 1000) / queueCount
  return [
    {
      name: `memory of each of ${queueCount} queues with a poll that waits`,
      figure: `${kilobytes.toFixed(1)} KB`,
      target: `< ${limitKilobytes} KB`,
      met: kilobytes < limitKilobytes,
    },
  ]
}

/** Registers a queue and leaves a poll waiting for it. */
async function park(port: number, user: User | undefined): Promise<Connection> {
  const connection = await openConnection(port)
  const reply = await ask(connection, poster('/api/v1/register', user)(encodeForm(options)))
  const { queue_id, last_event_id } = JSON.parse(reply.toString())
  const request = getRequest('/api/v1/events', { queue_id, last_event_id }, user)
  // Ends when the connection is closed.
  connection.send(request).catch(() => {})
  return connection
}
