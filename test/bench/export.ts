import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { openDatabase } from '#platform/store/open.ts'
import { fillArchive } from './archive.ts'
import { type Line, milliseconds, percentile } from './figures.ts'
import { type Account, ask, encodeForm, openConnection, poster } from './http.ts'
import { spread } from './million.ts'
import { addChannel, addPeople, seedFolder } from './organization.ts'
import { cpuSecondsOf, environment, type Program, peakOf, startServer } from './processes.ts'

const mostTimes = 6
const mostMegabytes = 400
const slowestSendMs = 100
/** So long someone who sends waits between two messages, in milliseconds. */
const restMs = 20
/** How long messages are sent without an export, in milliseconds. */
const quietMs = 5000

/** What something took; the time of processors is less uneven where others use them as well. */
interface Taken {
  readonly seconds: number
  readonly cpuSeconds: number
}

/** An organization on disk, and someone who sends to a channel of it. */
interface Place {
  readonly data: string
  readonly sender: Account
  readonly channelId: number
}

/**
 * Exports of everything by a running server, for Zulip and as an archive; and in the same run the
 * reading of the bare rows and their writing as compressed JSON.
 *
 * @param detail how many messages; a million by default
 */
export async function measureExport(
  program: Program,
  folder: string,
  detail: string,
): Promise<Line[]> {
  const count = Number(detail || 1_000_000)
  const data = join(folder, 'exporting')
  mkdirSync(data)
  const seeded = await seedFolder(data, (tx) => {
    fillArchive(tx, count)
    const [sender, ...others] = addPeople(tx, 10, 'sender')
    if (!sender) throw new Error('There is nobody.')
    return { sender, channelId: addChannel(tx, 'senders', [sender, ...others]).id }
  })
  const place = { data, ...seeded }
  const messages = await writeBare(data, join(folder, 'bare-messages.gz'), [messageRows])
  const all = await writeBare(data, join(folder, 'bare-all.gz'), [messageRows, ...flagRows])
  return [
    ...(await measureForm(program, place, count, 'for Zulip 11', zulip, all)),
    ...(await measureForm(program, place, count, 'as an archive', archive, messages)),
  ]
}

// Who has read old messages of public channels is by far the most of what Zulip's form has.
const zulip = ['--format', 'zulip', '--for', '11', '--lean-flags']
const archive = ['--format', 'archive']

async function measureForm(
  program: Program,
  place: Place,
  count: number,
  name: string,
  options: readonly string[],
  bare: Taken,
): Promise<Line[]> {
  const server = await startServer(program.file, place.data)
  const runExport = async (to: string): Promise<Taken> => {
    const cpuBegan = cpuSecondsOf(server.pid)
    const began = performance.now()
    await command(program.file, ['export', to, '--data', place.data, ...options])
    return {
      seconds: (performance.now() - began) / 1000,
      cpuSeconds: cpuSecondsOf(server.pid) - cpuBegan,
    }
  }
  const first = join(place.data, `${options[1]}-1.tar.gz`)
  forgetPeak(server.pid)
  const alone = await runExport(first)
  const megabytes = peakOf(server.pid)

  const quietEnd = performance.now() + quietMs
  const quiet = await sendUntil(server.port, place, () => performance.now() > quietEnd)
  let isOver = false
  const second = runExport(join(place.data, `${options[1]}-2.tar.gz`)).finally(() => {
    isOver = true
  })
  const during = await sendUntil(server.port, place, () => isOver)
  await second
  await server.stop()

  const times = alone.cpuSeconds / bare.cpuSeconds
  const slowest = percentile(during, 99)
  return [
    {
      name: `export of ${count} messages ${name}`,
      figure: `${alone.seconds.toFixed(1)} s, ${alone.cpuSeconds.toFixed(1)} s of CPU, ${times.toFixed(2)} times the bare rows in CPU time, ${(statSync(first).size / 1e6).toFixed(0)} MB`,
      target: `< ${mostTimes} times`,
      met: times < mostTimes,
      yardstick: `${bare.seconds.toFixed(1)} s, ${bare.cpuSeconds.toFixed(1)} s of CPU for bare rows as compressed JSON`,
    },
    {
      name: `the most memory of the server during the export ${name}`,
      figure: `${megabytes.toFixed(0)} MB`,
      target: `< ${mostMegabytes} MB`,
      met: megabytes < mostMegabytes,
    },
    {
      name: `${during.length} sends during the export ${name}`,
      figure: spread(during),
      target: `< ${milliseconds(slowestSendMs)} p99`,
      met: slowest < slowestSendMs,
      yardstick: `${spread(quiet)} without`,
    },
  ]
}

const messageRows = 'SELECT * FROM messages ORDER BY id'
/** Who has messages of private channels and direct ones. */
const flagRows = [
  `SELECT s.user_id AS user_profile, m.id AS message, 1 AS flags_mask FROM messages m
   JOIN channels c ON c.recipient_id = m.recipient_id AND c.is_private
   JOIN subscription_spans s ON s.channel_id = c.id AND m.id >= s.from_message`,
  `SELECT d.user_id AS user_profile, m.id AS message, 1 AS flags_mask FROM messages m
   JOIN direct_members d ON d.recipient_id = m.recipient_id`,
]

/** Reads rows and writes them as compressed lines of JSON, with nothing else. */
async function writeBare(data: string, file: string, queries: readonly string[]): Promise<Taken> {
  const db = openDatabase(join(data, 'parley.db'))
  function* parts() {
    let part = ''
    for (const query of queries) {
      for (const row of db.$client.prepare(query).iterate()) {
        part += `${JSON.stringify(row)}\n`
        if (part.length < 65_536) continue
        yield Buffer.from(part)
        part = ''
      }
    }
    yield Buffer.from(part)
  }
  const began = performance.now()
  const cpuBegan = process.cpuUsage()
  await pipeline(Readable.from(parts()), createGzip(), createWriteStream(file))
  const { system, user } = process.cpuUsage(cpuBegan)
  db.$client.close()
  return { seconds: (performance.now() - began) / 1000, cpuSeconds: (system + user) / 1e6 }
}

/** Runs a command of the program in a process of its own. */
async function command([program = '', ...args]: readonly string[], more: readonly string[]) {
  const stdio = ['ignore', 'ignore', 'pipe'] as const
  const child = spawn(program, [...args, ...more], { stdio: [...stdio], env: environment })
  let said = ''
  child.stderr?.on('data', (data: Buffer) => {
    said = `${said}${data}`.slice(-2000)
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${more[0]} ended with ${code}: ${said}`)
}

/** Lets the most memory that a process had be what it has now. */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Sends a message every now and then; returns how long each took, in milliseconds. */
async function sendUntil(
  port: number,
  { channelId, sender }: Place,
  isOver: () => boolean,
): Promise<number[]> {
  const connection = await openConnection(port)
  const post = poster('/api/v1/messages', sender)
  const times: number[] = []
  while (!isOver()) {
    const content = `Message number ${times.length}.`
    const began = performance.now()
    await ask(
      connection,
      post(encodeForm({ type: 'channel', to: channelId, topic: 'sending', content })),
    )
    times.push(performance.now() - began)
    await sleep(restMs)
  }
  connection.close()
  return times
}
