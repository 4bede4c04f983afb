import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '#features/foundation/users/queries.ts'
import type { Line } from './figures.ts'
import { type Connection, getRequest, openConnection } from './http.ts'
import { openQueue, openStream } from './listeners.ts'
import { addPeople, seedFolder } from './organization.ts'
import { type Program, type Running, startCeiling, startServer } from './processes.ts'
import { residentMegabytes } from './watching.ts'

const queueCount = 10_000
const queuesPerUser = 50
/** These are there before, so that what the first ones need is not counted. */
const warmUps = 1000
/** How many clients register at a time. */
const atATime = 50
const limitKilobytes = 12
/** How long the server does nothing before its memory is read, in milliseconds. */
const restMs = 5000

/** What a server holds in memory for each client that waits for its next event. */
export async function measureParked(program: Program, folder: string): Promise<Line[]> {
  const bare = await perClient(await startCeiling(join(folder, 'parked-ceiling.db')), parkBare)
  const lines: Line[] = []
  const ways = { 'poll that waits': parkPoll, stream: openStream }
  for (const [what, open] of Object.entries(ways)) {
    const data = mkdtempSync(join(folder, 'parked-'))
    const users = (queueCount + warmUps) / queuesPerUser
    const people = await seedFolder(data, (tx) => addPeople(tx, users))
    // As a proxy, this machine may have any number of connections.
    const env = { PARLEY_RATE_LIMITS: 'off', PARLEY_TRUSTED_PROXIES: '127.0.0.1' }
    const server = await startServer(program.file, data, env)
    const kilobytes = await perClient(server, (port, i) => open(port, people[i % users] as User))
    lines.push({
      name: `memory of each of ${queueCount} queues with a ${what}`,
      figure: `${kilobytes.toFixed(1)} KB`,
      target: `< ${limitKilobytes} KB`,
      met: kilobytes < limitKilobytes,
      yardstick: `${bare.toFixed(1)} KB of a bare route`,
    })
  }
  return lines
}

type Closable = Pick<Connection, 'close'>

/** Stops the server afterwards. @returns kilobytes */
async function perClient(
  server: Running,
  open: (port: number, i: number) => Promise<Closable>,
): Promise<number> {
  const connections: Closable[] = []
  const memoryWith = async (count: number) => {
    while (connections.length < count) {
      const first = connections.length
      const some = Array.from({ length: atATime }, (_, i) => open(server.port, first + i))
      connections.push(...(await Promise.all(some)))
    }
    await sleep(restMs)
    return residentMegabytes(server.pid)
  }
  const before = await memoryWith(warmUps)
  const after = await memoryWith(warmUps + queueCount)
  for (const { close } of connections) close()
  await server.stop()
  return ((after - before) * 1000) / queueCount
}

async function parkBare(port: number): Promise<Connection> {
  const connection = await openConnection(port)
  connection.send(getRequest('/events')).catch(() => {})
  return connection
}

/** Registers a queue and leaves a poll waiting for it. */
async function parkPoll(port: number, user: User): Promise<Connection> {
  const connection = await openConnection(port)
  const params = await openQueue(user, connection)
  // Ends when the connection is closed.
  connection.send(getRequest('/api/v1/events', { ...params }, user)).catch(() => {})
  return connection
}
