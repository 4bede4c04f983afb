import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fillArchive } from './archive.ts'
import { type Line, median, milliseconds, percentile } from './figures.ts'
import { type Account, ask, encodeForm, openConnection, poster } from './http.ts'
import { addChannel, addPeople, seedFolder } from './organization.ts'
import { type Program, startServer } from './processes.ts'

const messageCount = 1_000_000
const starts = 5
const senderCount = 10
/** How long messages are sent without a backup, in milliseconds. */
const quietMs = 5000

/** The data of an organization with a million messages, and people who send to a channel. */
interface Large {
  readonly data: string
  readonly senders: readonly Account[]
  readonly channelId: number
}

let made: Promise<Large> | undefined

/** Makes the folder at the first call: several parts use it. */
export function largeFolder(folder: string): Promise<Large> {
  made ??= (async () => {
    const data = join(folder, 'million')
    mkdirSync(data)
    const rest = await seedFolder(data, (tx) => {
      fillArchive(tx, messageCount)
      const senders = addPeople(tx, senderCount, 'sender')
      return { senders, channelId: addChannel(tx, 'senders', senders).id }
    })
    return { data, ...rest }
  })()
  return made
}

/** Starting and stopping with a million messages, in turns with an empty organization. */
export async function measureRestart(program: Program, folder: string): Promise<Line[]> {
  const { data } = await largeFolder(folder)
  const small = join(folder, 'restart-small')
  mkdirSync(small)
  await seedFolder(small, (tx) => void addPeople(tx, 10))
  const large = { starts: [] as number[], stops: [] as number[] }
  const plain = { starts: [] as number[], stops: [] as number[] }
  for (let i = 0; i < starts; i++) {
    for (const [times, path] of [
      [large, data],
      [plain, small],
    ] as const) {
      const server = await startServer(program.executable, path)
      times.starts.push(server.startMs)
      const began = performance.now()
      await server.stop()
      times.stops.push(performance.now() - began)
    }
  }
  const ratio = median(large.starts) / median(plain.starts)
  return [
    {
      name: 'start of the executable with 1 000 000 messages',
      figure: `${milliseconds(median(large.starts))}, ${ratio.toFixed(2)} times an empty one's`,
      target: '< 1.5 times',
      met: ratio < 1.5,
      yardstick: `${milliseconds(median(plain.starts))} without messages`,
    },
    {
      name: 'stop with 1 000 000 messages',
      figure: milliseconds(median(large.stops)),
      yardstick: `${milliseconds(median(plain.stops))} without messages`,
    },
  ]
}

/** What a backup of a million messages costs those who send meanwhile. */
export async function measureBackup(program: Program, folder: string): Promise<Line[]> {
  const { data, senders, channelId } = await largeFolder(folder)
  const server = await startServer(program.executable, data)
  const send = (isOver: () => boolean) =>
    Promise.all(senders.map((sender) => sendUntil(server.port, sender, channelId, isOver)))
  const quietEnd = performance.now() + quietMs
  const quiet = (await send(() => performance.now() > quietEnd)).flat()
  const target = join(folder, 'million-backup')
  const [command = '', ...args] = program.executable
  const began = performance.now()
  const child = spawn(command, [...args, 'backup', target, '--data', data], { stdio: 'ignore' })
  let isOver = false
  const ended = once(child, 'exit').then(([code]) => {
    isOver = true
    return code as number | null
  })
  const during = (await send(() => isOver)).flat()
  const code = await ended
  const seconds = (performance.now() - began) / 1000
  await server.stop()
  if (code !== 0) throw new Error(`The backup ended with ${code}.`)
  const size = statSync(join(target, 'parley.db')).size / 1e6
  return [
    {
      name: `${during.length} sends during a backup of 1 000 000 messages, ${senderCount} senders`,
      figure: spread(during),
      yardstick: `${spread(quiet)} without`,
    },
    {
      name: 'that backup, checked',
      figure: `${seconds.toFixed(1)} s for ${size.toFixed(0)} MB`,
    },
  ]
}

/** Sends one message after the other; returns how long each took, in milliseconds. */
async function sendUntil(
  port: number,
  sender: Account,
  channelId: number,
  isOver: () => boolean,
): Promise<number[]> {
  const connection = await openConnection(port)
  const post = poster('/api/v1/messages', sender)
  const times: number[] = []
  while (!isOver()) {
    const content = `Message number ${times.length} from ${sender.email}.`
    const form = { type: 'channel', to: channelId, topic: 'sending', content }
    const began = performance.now()
    await ask(connection, post(encodeForm(form)))
    times.push(performance.now() - began)
  }
  connection.close()
  return times
}

export function spread(times: readonly number[]): string {
  const longest = Math.max(...times)
  return `${milliseconds(median(times))} p50, ${milliseconds(percentile(times, 99))} p99, ${milliseconds(longest)} longest`
}
