import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Line } from './figures.ts'
import { ask, encodeForm, openConnection, poster } from './http.ts'
import { openListener, type QueueListener } from './listeners.ts'
import { addChannel, addPeople, seedFolder } from './organization.ts'
import { type Program, startServer } from './processes.ts'
import { residentMegabytes } from './watching.ts'

const sizes = [1000, 5000] as const
const channelSize = 100
/** How many clients connect at the same time. */
const together = 50
/** How long a server does nothing before its memory is read, in milliseconds. */
const restMs = 2000

/** What a server holds while clients wait for events, each an account with a queue of its own. */
export async function measureConnected(program: Program, folder: string): Promise<Line[]> {
  const data = join(folder, 'connected')
  mkdirSync(data)
  const most = Math.max(...sizes)
  const { people, everybody } = await seedFolder(data, (tx) => {
    const people = addPeople(tx, most)
    for (let i = 0; i < most; i += channelSize) {
      addChannel(tx, `team ${i}`, people.slice(i, i + channelSize))
    }
    return { people, everybody: addChannel(tx, 'everybody', people) }
  })
  const server = await startServer(program.executable, data)
  const sending = await openConnection(server.port)
  const post = poster('/api/v1/messages', people[0])
  const listeners: QueueListener[] = []
  const polls: Promise<unknown>[] = []
  await sleep(restMs)
  const idle = residentMegabytes(server.pid)
  const lines: Line[] = []
  for (const size of sizes) {
    while (listeners.length < size) {
      const next = people.slice(listeners.length, Math.min(size, listeners.length + together))
      const opened = await Promise.all(next.map((user) => openListener(server.port, user)))
      listeners.push(...opened)
      polls.push(...opened.map((listener) => listener.next()))
    }
    await sleep(restMs)
    const waiting = residentMegabytes(server.pid)
    // Everyone gets a message, and waits again.
    const form = { type: 'channel', to: everybody.id, topic: 'all', content: `For ${size}.` }
    await ask(sending, post(encodeForm(form)))
    await Promise.all(polls.splice(0))
    polls.push(...listeners.map((listener) => listener.next()))
    await sleep(restMs)
    const after = residentMegabytes(server.pid)
    const each = ((waiting - idle) * 1000) / size
    lines.push({
      name: `memory of the executable with ${size} clients that wait for events`,
      figure: `${waiting.toFixed(0)} MB, ${each.toFixed(0)} kB each, ${after.toFixed(0)} MB after a message to all`,
      yardstick: `${idle.toFixed(0)} MB without clients`,
    })
  }
  for (const poll of polls) poll.catch(() => {})
  for (const listener of listeners) listener.close()
  sending.close()
  await server.stop()
  return lines
}
