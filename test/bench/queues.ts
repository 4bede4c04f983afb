import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '#features/foundation/users/queries.ts'
import { insertQueue } from '#platform/events/queries.ts'
import type { QueueRequest } from '#platform/events/queues.ts'
import type { Tx } from '#platform/store/store.ts'
import { type Line, median, milliseconds } from './figures.ts'
import { ask, type Connection, encodeForm, openConnection, poster } from './http.ts'
import { addChannel, addPeople, seedFolder } from './organization.ts'
import { type Program, type Running, startServer } from './processes.ts'
import { mainThreadTimes, residentMegabytes } from './watching.ts'

const queueCount = 5000
const senderCount = 20
const rounds = 11
const sendsPerRound = 1500
/** The most that the queues may add to the processor time of a send, as a factor. */
const mostCost = 1.05
/** How long a server does nothing before its memory is read, in milliseconds. */
const restMs = 3000

/** What a send costs with thousands of event queues of people who are away, and without. */
export async function measureQueues(program: Program, folder: string): Promise<Line[]> {
  const without = await open(program, join(folder, 'nobody'), false)
  const others = await open(program, join(folder, 'away'), true)
  const costs: { readonly without: number; readonly others: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    // In turns, so that whatever else the machine does strikes both.
    const order = round % 2 === 0 ? [without, others] : [others, without]
    const took = new Map<Subject, number>()
    for (const subject of order) took.set(subject, await sendRound(subject, round))
    const cost = { without: took.get(without) ?? 0, others: took.get(others) ?? 0 }
    if (round > 0) costs.push(cost)
  }
  const memory = [without, others].map(({ server }) => residentMegabytes(server.pid))
  const sizes = [without, others].map(({ data }) => statSync(join(data, 'parley.db')).size)
  for (const { connections, server } of [without, others]) {
    for (const { close } of connections) close()
    await server.stop()
  }
  const ratio = median(costs.map((cost) => cost.others / cost.without))
  const more = ([first = 0, second = 0]: readonly number[]) => second - first
  return [
    {
      name: `CPU of a send to ${queueCount} people, each with a queue, all away`,
      figure: `${milliseconds(median(costs.map((cost) => cost.others)))}, ${ratio.toFixed(3)} times that without`,
      target: `<= ${mostCost} times`,
      met: ratio <= mostCost,
      yardstick: `${milliseconds(median(costs.map((cost) => cost.without)))} without queues`,
    },
    {
      name: `start with ${queueCount} queues`,
      figure: milliseconds(others.server.startMs),
      yardstick: `${milliseconds(without.server.startMs)} without queues`,
    },
    {
      name: `memory of ${queueCount} queues`,
      figure: `${more(memory).toFixed(1)} MB`,
      yardstick: `${memory[0]?.toFixed(0)} MB without queues`,
    },
    {
      name: `database of ${queueCount} queues, after ${(rounds + 1) * sendsPerRound} sends`,
      figure: `${(more(sizes) / 1e6).toFixed(1)} MB`,
      yardstick: `${((sizes[0] ?? 0) / 1e6).toFixed(0)} MB without queues`,
    },
  ]
}

interface Subject {
  readonly data: string
  readonly server: Running
  readonly connections: readonly Connection[]
  request(sender: number, content: string): string
}

async function open(program: Program, data: string, withQueues: boolean): Promise<Subject> {
  mkdirSync(data)
  const { people, channel } = await seedFolder(data, (tx) => {
    const people = addPeople(tx, queueCount)
    if (withQueues) for (const [i, { id }] of people.entries()) addQueue(tx, i + 1, id)
    return { people, channel: addChannel(tx, 'everybody', people) }
  })
  const server = await startServer(program.file, data)
  await sleep(restMs)
  const posters = people.slice(0, senderCount).map((user: User) => poster('/api/v1/messages', user))
  const connections = await Promise.all(posters.map(() => openConnection(server.port)))
  return {
    data,
    server,
    connections,
    request(sender, content) {
      const form = { type: 'channel', to: channel.id, topic: 'news', content, read_by_sender: true }
      return posters[sender]?.(encodeForm(form)) ?? ''
    },
  }
}

/** A queue as a stop leaves it, which phones keep for twelve hours. */
function addQueue(tx: Tx, number: number, userId: number): void {
  const request: QueueRequest = {
    userId,
    client: 'ZulipMobile',
    applyMarkdown: true,
    slimPresence: true,
    includeSubscribers: 'false',
    capabilities: ['bulk_message_deletion', 'user_settings_object', 'empty_topic_name'],
    eventTypes: null,
    narrow: [],
    allPublicChannels: false,
    lifespanSeconds: 12 * 3600,
  }
  const position = { lastEventId: -1, acknowledgedId: -1, isExact: true }
  insertQueue(tx, {
    number,
    id: `${userId}:${number}`,
    request: JSON.stringify(request),
    ...position,
  })
}

/** @returns the processor time of a send, in milliseconds */
async function sendRound(subject: Subject, round: number): Promise<number> {
  const { server, connections, request } = subject
  const before = mainThreadTimes(server.pid).computed
  let sent = 0
  const senders = connections.map(async (connection, sender) => {
    while (sent < sendsPerRound) {
      sent += 1
      await ask(connection, request(sender, `Message ${sent} of round ${round}.`))
    }
  })
  await Promise.all(senders)
  return (mainThreadTimes(server.pid).computed - before) / sent
}
