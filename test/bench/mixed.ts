import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '#features/foundation/users/queries.ts'
import { createRandom } from '#test/support/drawing.ts'
import { fillArchive } from './archive.ts'
import { type Line, median, milliseconds, percentile } from './figures.ts'
import { ask, type Connection, encodeForm, getRequest, openConnection, poster } from './http.ts'
import { openListener } from './listeners.ts'
import { addChannel, addPeople, seedFolder } from './organization.ts'
import { type Program, startCeiling, startServer } from './processes.ts'
import { mainThreadTimes, residentMegabytes } from './watching.ts'
import { sentence } from './words.ts'

const defaultMinutes = 10
const historyLength = 100_000
const listenerCount = 200
const channelSize = 20
const workerCount = 10
/** From one request of a worker to its next, in milliseconds: all together make 100 a second. */
const paceMs = 100
/** How often memory is read, in milliseconds. */
const lookEveryMs = 1000
/** What the server may hold more at the end than in the middle, in percent. */
const mostGrowth = 10

/** What a worker knows of the organization. */
export interface Scene {
  /** Channels of the people at work. */
  readonly channelIds: readonly number[]
  readonly texts: readonly string[]
  /** The IDs of the newest messages that workers sent. */
  readonly sent: number[]
}

type Act = (user: User, scene: Scene, random: () => number) => string

const pick = <T>(random: () => number, all: readonly T[]): T =>
  all[Math.floor(random() * all.length)] as T

const post = (user: User, path: string, params: object) =>
  poster(`/api/v1${path}`, user)(encodeForm({ ...params }))

const history = (user: User, narrow: readonly object[]) =>
  getRequest('/api/v1/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow }, user)

/** What clients do, and how often among a hundred requests. */
const acts: readonly (readonly [number, Act])[] = [
  [
    30,
    (user, { channelIds, texts }, random) =>
      post(user, '/messages', {
        type: 'channel',
        to: pick(random, channelIds),
        topic: `topic ${Math.floor(random() * 20)}`,
        content: pick(random, texts),
      }),
  ],
  [20, (user) => history(user, [])],
  [
    10,
    (user, { channelIds }, random) => {
      const operand = pick(random, channelIds)
      return history(user, [{ operator: 'channel', operand }])
    },
  ],
  [3, (user) => history(user, [{ operator: 'search', operand: 'meeting' }])],
  [
    17,
    (user, { sent }) =>
      post(user, '/messages/flags', { messages: sent.slice(-20), op: 'add', flag: 'read' }),
  ],
  [
    10,
    (user, { channelIds }, random) =>
      post(user, '/typing', {
        type: 'stream',
        op: random() < 0.5 ? 'start' : 'stop',
        stream_id: pick(random, channelIds),
        topic: 'topic 1',
      }),
  ],
  [6, (user) => post(user, '/users/me/presence', { status: 'active' })],
  [4, (user) => post(user, '/register', { event_types: ['message'] })],
]

/** Something that a client does, as often as clients do it. */
export function chooseAct(random: () => number): Act {
  let left = random() * acts.reduce((sum, [share]) => sum + share, 0)
  const chosen = acts.find(([share]) => {
    left -= share
    return left < 0
  })
  return (chosen ?? acts[0])?.[1] as Act
}

/** Makes requests at an even pace until the end; returns how long each took, in milliseconds. */
export async function work(
  connection: Connection,
  end: number,
  request: () => string,
  seen: (body: Buffer) => void = () => {},
): Promise<number[]> {
  const times: number[] = []
  for (let due = performance.now(); due < end; due += paceMs) {
    await sleep(Math.max(0, due - performance.now()))
    const text = request()
    const began = performance.now()
    const body = await ask(connection, text)
    times.push(performance.now() - began)
    seen(body)
  }
  return times
}

/**
 * A team at work: 100 requests a second of many kinds, and 200 clients that wait for events.
 *
 * @param detail for how many minutes; ten if empty
 */
export async function measureMixed(
  program: Program,
  folder: string,
  detail: string,
): Promise<Line[]> {
  const minutes = Number(detail || defaultMinutes)
  if (!(minutes > 0)) throw new Error('The part mixed takes minutes: --only mixed:2')
  const data = join(folder, 'mixed')
  mkdirSync(data)
  const { people, channelIds } = await seedFolder(data, (tx) => {
    fillArchive(tx, historyLength)
    const people = addPeople(tx, listenerCount, 'worker')
    const teams = Array.from({ length: listenerCount / channelSize }, (_, i) => [
      // Workers are in all of them.
      ...people.slice(0, workerCount),
      ...people.slice(Math.max(workerCount, i * channelSize), (i + 1) * channelSize),
    ])
    const channels = teams.map((team, i) => addChannel(tx, `team ${i}`, team))
    return { people, channelIds: channels.map(({ id }) => id) }
  })
  const ceiling = await startCeiling(join(folder, 'mixed-ceiling.db'))
  const server = await startServer(program.executable, data)
  const listeners = await Promise.all(people.map((user) => openListener(server.port, user)))
  let isOver = false
  const listening = listeners.map(async (listener) => {
    while (!isOver) await listener.next().catch(() => 0)
  })
  const random = createRandom(7)
  const scene: Scene = {
    channelIds,
    texts: Array.from({ length: 500 }, () => sentence(random)),
    sent: [1],
  }
  const memory: number[] = []
  const watch = setInterval(() => memory.push(residentMegabytes(server.pid)), lookEveryMs)
  const end = performance.now() + minutes * 60_000
  const before = mainThreadTimes(server.pid).computed
  const workers = Array.from({ length: workerCount }, async (_, i) => {
    const user = people[i] as User
    const connection = await openConnection(server.port)
    const times = await work(
      connection,
      end,
      () => chooseAct(random)(user, scene, random),
      (body) => {
        const id = /^\{"result":"success","msg":"",(?:"[a-z_]+":null,)*"id":(\d+)/.exec(
          body.toString('latin1', 0, 100),
        )?.[1]
        if (id !== undefined) scene.sent.push(Number(id))
        if (scene.sent.length > 100) scene.sent.shift()
      },
    )
    connection.close()
    return times
  })
  const bare = poster('/messages/fast')
  const plain = await openConnection(ceiling.port)
  const yardstick = work(plain, end, () => bare(encodeForm({ to: 1, topic: 'a', content: 'b' })))
  const times = (await Promise.all(workers)).flat()
  const plainTimes = await yardstick
  const computed = mainThreadTimes(server.pid).computed - before
  clearInterval(watch)
  isOver = true
  for (const listener of listeners) listener.close()
  plain.close()
  await Promise.all(listening)
  await server.stop()
  await ceiling.stop()
  return [
    {
      name: `${times.length} requests of many kinds in ${minutes} min, ${listenerCount} clients waiting`,
      figure: spread(times),
      yardstick: `${spread(plainTimes)} of a bare route`,
    },
    {
      name: 'CPU of one of these',
      figure: milliseconds(computed / times.length),
    },
    growthLine(memory),
  ]
}

/** The middle and the slow end of some times. */
export function spread(times: readonly number[]): string {
  const [p99, p999] = [percentile(times, 99), percentile(times, 99.9)]
  return `${milliseconds(median(times))} p50, ${milliseconds(p99)} p99, ${milliseconds(p999)} p99.9`
}

/** By how much memory grew from the third quarter to the last one, which is no warming up. */
function growthLine(memory: readonly number[]): Line {
  const quarter = Math.max(1, Math.floor(memory.length / 4))
  const middle = median(memory.slice(-2 * quarter, -quarter))
  const last = median(memory.slice(-quarter))
  const growth = (last / middle - 1) * 100
  return {
    name: 'memory in the last quarter of that, by the third',
    figure: `${last.toFixed(0)} MB, ${growth.toFixed(1)} % more`,
    target: `< ${mostGrowth} %`,
    met: growth < mostGrowth,
    yardstick: `${(memory[0] ?? 0).toFixed(0)} MB at first`,
  }
}
