import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUser } from '#features/access/accounts/actions.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { integrations } from '#features/integrations/webhook-services/list.ts'
import { botTypes } from '#platform/store/schema.ts'
import type { Tx } from '#platform/store/store.ts'
import { createRandom } from '#test/support/drawing.ts'
import { type Line, milliseconds, percentile } from './figures.ts'
import { type Connection, openConnection } from './http.ts'
import { chooseAct, type Scene, spread, work } from './mixed.ts'
import { addChannel, addPeople, seedFolder } from './organization.ts'
import { cpuSecondsOf, type Program, startServer } from './processes.ts'
import { sentence } from './words.ts'

const deliveriesPerSecond = 1000
const botCount = 20
const workerCount = 10
const defaultSeconds = 20
/** How much slower the slowest of a hundred requests of others may become. */
const mostSlowdown = 2

function addBots(tx: Tx, owner: User): User[] {
  return Array.from({ length: botCount }, (_, i) =>
    createUser(tx, {
      email: `hook${i}-bot@bench.invalid`,
      fullName: `Hook ${i}`,
      role: owner.role,
      botType: botTypes.incomingWebhook,
      botOwnerId: owner.id,
    }),
  )
}

/** What GitHub sends about a pull request, as in its example. */
function delivery(bot: User, channelId: number): string {
  const github = integrations.find(({ name }) => name === 'github')
  const body = JSON.stringify(github?.example.body)
  return [
    `POST /api/v1/external/github?api_key=${bot.apiKey}&stream=${channelId} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    'X-GitHub-Event: pull_request',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

/** Delivers at an even pace until the end; returns how many were taken. */
async function deliver(connection: Connection, request: string, end: number): Promise<number> {
  const paceMs = (1000 * botCount) / deliveriesPerSecond
  let taken = 0
  for (let due = performance.now(); due < end; due += paceMs) {
    await sleep(Math.max(0, due - performance.now()))
    const { status } = await connection.send(request)
    if (status === 200) taken++
  }
  return taken
}

/**
 * What a team at work notices of a flood of webhooks.
 *
 * @param detail for how many seconds, each with and without it; 20 if empty
 */
export async function measureWebhooks(
  program: Program,
  folder: string,
  detail: string,
): Promise<Line[]> {
  const seconds = Number(detail || defaultSeconds)
  if (!(seconds > 0)) throw new Error('The part webhooks takes seconds: --only webhooks:10')
  const data = join(folder, 'webhooks')
  mkdirSync(data)
  const { people, bots, channelIds } = await seedFolder(data, (tx) => {
    const people = addPeople(tx, workerCount, 'worker')
    const bots = addBots(tx, people[0] as User)
    const channels = ['team', 'builds'].map((name) => addChannel(tx, name, people))
    return { people, bots, channelIds: channels.map(({ id }) => id) }
  })
  const server = await startServer(program.executable, data)
  const random = createRandom(7)
  const scene: Scene = {
    channelIds: channelIds.slice(0, 1),
    texts: Array.from({ length: 500 }, () => sentence(random)),
    sent: [1],
  }
  const team = async (end: number) => {
    const times = people.map(async (user) => {
      const connection = await openConnection(server.port)
      const own = await work(connection, end, () => chooseAct(random)(user, scene, random))
      connection.close()
      return own
    })
    return (await Promise.all(times)).flat()
  }
  const until = () => performance.now() + seconds * 1000
  await team(performance.now() + 2000)
  const cpuBegan = cpuSecondsOf(server.pid)
  const quiet = await team(until())
  const cpuQuiet = cpuSecondsOf(server.pid) - cpuBegan
  const end = until()
  const flood = bots.map(async (bot) => {
    const connection = await openConnection(server.port)
    const taken = await deliver(connection, delivery(bot, channelIds[1] as number), end)
    connection.close()
    return taken
  })
  const loud = await team(end)
  const taken = (await Promise.all(flood)).reduce((sum, count) => sum + count, 0)
  const cpuLoud = cpuSecondsOf(server.pid) - cpuBegan - cpuQuiet
  await server.stop()
  // The team's own requests cost what they cost without deliveries.
  const cpuOfDeliveries = cpuLoud - (cpuQuiet * loud.length) / quiet.length
  const [before, now] = [percentile(quiet, 99), percentile(loud, 99)]
  return [
    {
      name: `requests of a team, without webhooks (${seconds} s)`,
      figure: spread(quiet),
    },
    {
      name: `the same while ${Math.round(taken / seconds)} webhooks a second are delivered`,
      figure: spread(loud),
      target: `p99 < ${milliseconds(before * mostSlowdown)}`,
      met: now < before * mostSlowdown,
    },
    {
      name: 'the server, for each delivery',
      figure: `${milliseconds((cpuOfDeliveries * 1000) / taken)} of CPU`,
    },
  ]
}
