import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { commonWord, fillArchive, rareWord, unreadCount } from './archive.ts'
import { type Line, latencyLine, milliseconds } from './figures.ts'
import { ask, type Connection, encodeForm, getRequest, openConnection, poster } from './http.ts'
import { seedFolder } from './organization.ts'
import { type Program, startServer } from './processes.ts'

const messageCount = 1_000_000
const samples = 200
const registers = 30
const limitStartMs = 500

/** Reading pages and searching in a history of a million messages, and registering over it. */
export async function measureHistory(program: Program, folder: string): Promise<Line[]> {
  const data = join(folder, 'history')
  mkdirSync(data)
  const { reader, place } = await seedFolder(data, (tx) => fillArchive(tx, messageCount))
  const server = await startServer(program.file, data)
  const connection = await openConnection(server.port)
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
    ['newest 100 of the combined feed', page([]), 10],
    ['newest 100 of a topic', page(topic), 10],
    ['newest 100 with a common word', page(search(commonWord)), 50],
    ['newest 100 with a rare word', page(search(rareWord)), 50],
  ]
  const lines: Line[] = []
  for (const [name, request, limit] of measured) {
    const times = await repeat(connection, request, samples, ({ messages }) => messages.length > 40)
    lines.push(latencyLine(`${name}, 1 000 000 messages`, times, limit))
  }
  const register = poster('/api/v1/register', reader)(encodeForm({}))
  const times = await repeat(
    connection,
    register,
    registers,
    ({ unread_msgs }) => unread_msgs.count === unreadCount,
  )
  lines.push(latencyLine('register with 10 000 unread', times, 30))
  lines.push({
    name: 'start of parley.cjs to its first answer, 1 000 000 messages',
    figure: milliseconds(server.startMs),
    target: `< ${limitStartMs} ms`,
    met: server.startMs < limitStartMs,
  })
  connection.close()
  await server.stop()
  return lines
}

/** The same request again and again; the first few times do not count. */
async function repeat(
  connection: Connection,
  request: string,
  count: number,
  isRight: (reply: { messages: unknown[]; unread_msgs: { count: number } }) => boolean,
): Promise<number[]> {
  const times: number[] = []
  const warmUps = Math.ceil(count / 10)
  for (let i = 0; i < warmUps + count; i++) {
    const began = performance.now()
    const body = await ask(connection, request)
    if (i >= warmUps) times.push(performance.now() - began)
    else if (!isRight(JSON.parse(body.toString()))) throw new Error(`A wrong answer: ${body}`)
  }
  return times
}
