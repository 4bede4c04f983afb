import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { commonWord, fillArchive, rareWord, unreadCount } from './archive.ts'
import { type Line, latencyLine, median, milliseconds, percentile } from './figures.ts'
import { ask, type Connection, encodeForm, getRequest, openConnection, poster } from './http.ts'
import { seedFolder } from './organization.ts'
import { type Program, type Running, startCeiling, startServer } from './processes.ts'
import { mainThreadTimes } from './watching.ts'

const messageCount = 1_000_000
const samples = 500
const registers = 100
const limitStartMs = 500

/** Reading pages and searching in a history of a million messages, and registering over it. */
export async function measureHistory(program: Program, folder: string): Promise<Line[]> {
  const data = join(folder, 'history')
  mkdirSync(data)
  const { reader, place } = await seedFolder(data, (tx) => fillArchive(tx, messageCount))
  const server = await startServer(program.file, data)
  const bare = await startCeiling(join(folder, 'history-ceiling.db'))
  const subject = await open(server)
  const yardstick = await open(bare)
  const page = (narrow: readonly object[]) =>
    getRequest(
      '/api/v1/messages',
      { anchor: 'newest', num_before: 100, num_after: 0, narrow },
      reader,
    )
  const topic = [
    { operator: 'channel', operand: place.channelId },
    { operator: 'topic', operand: place.topic },
  ]
  const search = (words: string) => [{ operator: 'search', operand: words }]
  const measured: readonly [string, string, number][] = [
    ['newest 100 of the combined feed', page([]), 5],
    ['newest 100 of a topic', page(topic), 4],
    ['newest 100 with a common word', page(search(commonWord)), 10],
    ['newest 100 with a rare word', page(search(rareWord)), 10],
  ]
  const lines: Line[] = []
  for (const [name, request, limit] of measured) {
    const took = await repeat(subject, yardstick, request, samples, isWhole)
    lines.push(line(`${name}, 1 000 000 messages`, took, limit))
  }
  const register = poster('/api/v1/register', reader)(encodeForm({}))
  const took = await repeat(subject, yardstick, register, registers, hasUnread)
  lines.push(line('register with 10 000 unread', took, 30))
  lines.push({
    name: 'start of parley.cjs to its first answer, 1 000 000 messages',
    figure: milliseconds(server.startMs),
    target: `< ${limitStartMs} ms`,
    met: server.startMs < limitStartMs,
  })
  for (const { connection, running } of [subject, yardstick]) {
    connection.close()
    await running.stop()
  }
  return lines
}

interface Subject {
  readonly running: Running
  readonly connection: Connection
}

async function open(running: Running): Promise<Subject> {
  return { running, connection: await openConnection(running.port) }
}

interface Reply {
  readonly messages: unknown[]
  readonly unread_msgs: { readonly count: number }
}

const isWhole = ({ messages }: Reply) => messages.length > 40
const hasUnread = ({ unread_msgs }: Reply) => unread_msgs.count === unreadCount

/** What each request took, in milliseconds. */
interface Took {
  /** The first ones, with which the compilers of the processes compete for processors. */
  readonly early: number[]
  readonly elapsed: number[]
  /** The same without the times when the server or this process could go on, but had no processor. */
  readonly undelayed: number[]
  /** That of the bare route. */
  readonly bare: number[]
}

/**
 * The same request again and again: `count` times at first, and `count` times that count. In turns
 * with a bare route that answers with as many bytes, once it has stored a row where the request
 * writes: what else the machine and its disk do strikes both.
 */
async function repeat(
  subject: Subject,
  yardstick: Subject,
  request: string,
  count: number,
  isRight: (reply: Reply) => boolean,
): Promise<Took> {
  const took: Took = { early: [], elapsed: [], undelayed: [], bare: [] }
  for (let i = 0; i < 2 * count; i++) {
    const one = await timed(subject, request)
    const path = `/bytes/${one.body.length}`
    const plain = request.startsWith('GET') ? getRequest(path) : poster(path)('stored')
    const bare = await timed(yardstick, plain)
    if (i === 0 && !isRight(JSON.parse(one.body.toString()))) {
      throw new Error(`A wrong answer: ${one.body}`)
    }
    if (i < count) {
      took.early.push(one.elapsed)
      continue
    }
    took.elapsed.push(one.elapsed)
    took.undelayed.push(one.elapsed - one.delayed)
    took.bare.push(bare.elapsed)
  }
  return took
}

async function timed({ connection, running }: Subject, request: string) {
  const delays = () => mainThreadTimes(running.pid).delayed + mainThreadTimes(process.pid).delayed
  const before = delays()
  const began = performance.now()
  const body = await ask(connection, request)
  const elapsed = performance.now() - began
  return { body, elapsed, delayed: delays() - before }
}

function line(name: string, { early, elapsed, undelayed, bare }: Took, limit: number): Line {
  const slowest = (times: readonly number[]) => `${milliseconds(percentile(times, 99))} p99`
  return {
    ...latencyLine(name, elapsed, limit),
    yardstick:
      `bare route ${milliseconds(median(bare))} p50, ${slowest(bare)}; ` +
      `${slowest(undelayed)} without waits for a processor; ` +
      `the first ${early.length} ${slowest(early)}`,
  }
}
