import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from '#test/support/drawing.ts'
import { type Line, median } from './figures.ts'
import { type Account, ask, encodeForm, openConnection, poster } from './http.ts'
import { addChannel, addPeople, seedFolder } from './organization.ts'
import { type Program, startCeiling, startServer } from './processes.ts'
import { sentence } from './words.ts'

const senderCount = 50
const rounds = 5
const roundMs = 1500
/** Longer than it takes to find out who of the people is to be notified. */
const shoutMs = 1500
const sizes = [10, 1000, 10_000] as const
/** Who sends: subscribers of each of the channels, with several connections each. */
const accountCount = 10

/** One thing whose rate is taken: the ceiling, or the server with one of the channels. */
interface Lane {
  readonly port: number
  /** What each of the senders sends with a text. */
  request(sender: number, content: string): string
  /** Sends per second, by round. */
  readonly rates: number[]
}

/**
 * Durable sends per second with 50 senders at once, beside what a bare route reaches in the same
 * minutes. The lanes take turns, so that whatever else the machine does strikes all of them.
 */
export async function measureSends(program: Program, folder: string): Promise<Line[]> {
  const data = join(folder, 'send')
  mkdirSync(data)
  const { accounts, channels } = await seedFolder(data, (tx) => {
    const people = addPeople(tx, Math.max(...sizes))
    const channels = sizes.map((size) => addChannel(tx, `of ${size}`, people.slice(0, size)))
    return { accounts: people.slice(0, accountCount), channels }
  })
  const ceiling = await startCeiling(join(folder, 'ceiling.db'))
  const server = await startServer(program.file, data)
  const bare = createLane(ceiling.port, '/messages', 1, [])
  const bareFast = createLane(ceiling.port, '/messages/fast', 1, [])
  const lanes = channels.map(({ id }) => createLane(server.port, '/api/v1/messages', id, accounts))
  await takeTurns([bare, bareFast, ...lanes])
  await ceiling.stop()
  await server.stop()
  // A mail server that does not answer: people who are away are to be told all the same.
  const mailing = await startServer(program.file, data, {
    PARLEY_RATE_LIMITS: 'off',
    PARLEY_URL: 'http://localhost',
    PARLEY_SMTP_URL: 'smtp://127.0.0.1:9',
  })
  const shouting = await measureShout(mailing.port, accounts[0], channels.at(-1)?.id ?? 0)
  await mailing.stop()
  return [...sendLines(bare, bareFast, lanes), shouting]
}

/** How long a sender waits at most while a message notifies 10 000 people who are away. */
async function measureShout(port: number, by: Account | undefined, to: number): Promise<Line> {
  const connection = await openConnection(port)
  const request = poster('/api/v1/messages', by)
  const send = async (content: string) => {
    const began = performance.now()
    await ask(connection, request(encodeForm({ type: 'channel', to, topic: 'all', content })))
    return performance.now() - began
  }
  const times: number[] = []
  await send('Hello.')
  for (let i = 0; i < 3; i++) {
    times.push(await send(`Fire ${i}! @**all**`))
    const began = performance.now()
    while (performance.now() - began < shoutMs) times.push(await send('Where?'))
  }
  connection.close()
  const worst = Math.max(...times)
  return {
    name: 'the longest send while @**all** notifies 10 000 away people',
    figure: `${worst.toFixed(0)} ms`,
    target: '≤ 200 ms',
    met: worst <= 200,
  }
}

function createLane(
  port: number,
  path: string,
  channelId: number,
  accounts: readonly Account[],
): Lane {
  const posters = Array.from({ length: senderCount }, (_, i) =>
    poster(path, accounts[i % accounts.length]),
  )
  return {
    port,
    request(sender, content) {
      const form = {
        type: 'channel',
        to: channelId,
        topic: `topic ${sender % 7}`,
        content,
        read_by_sender: true,
      }
      return posters[sender]?.(encodeForm(form)) ?? ''
    },
    rates: [],
  }
}

/** A round of each lane to warm up, then the rounds that count. */
async function takeTurns(lanes: readonly Lane[]): Promise<void> {
  const random = createRandom(2)
  const texts = Array.from({ length: 1000 }, () => sentence(random))
  for (let round = 0; round <= rounds; round++) {
    for (const lane of lanes) {
      const rate = await sendRound(lane, texts)
      if (round > 0) lane.rates.push(rate)
    }
  }
}

/** @returns sends per second */
async function sendRound(lane: Lane, texts: readonly string[]): Promise<number> {
  const opening = Array.from({ length: senderCount }, () => openConnection(lane.port))
  const connections = await Promise.all(opening)
  const began = performance.now()
  let sent = 0
  const senders = connections.map(async (connection, sender) => {
    while (performance.now() - began < roundMs) {
      sent += 1
      const content = `${texts[sent % texts.length]} ${sent}`
      await ask(connection, lane.request(sender, content))
    }
  })
  await Promise.all(senders)
  const rate = (sent / (performance.now() - began)) * 1000
  for (const { close } of connections) close()
  return rate
}

function sendLines(bare: Lane, bareFast: Lane, lanes: readonly Lane[]): Line[] {
  const [small, , large] = lanes
  if (!small || !large) throw new Error('There are no lanes.')
  const ratio = ratioOf(small, bare)
  const cost = ratioOf(small, large)
  return [
    { name: 'bare ceiling: a Hono route, 50 senders', figure: perSecond(bare) },
    { name: 'the same with a faster form parser', figure: perSecond(bareFast) },
    ...lanes.map((lane, i) => ({
      name: `durable sends to ${sizes[i]} subscribers, 50 senders`,
      figure: perSecond(lane),
    })),
    {
      name: 'sends to 10 subscribers by the ceiling with the faster parser',
      figure: ratioOf(small, bareFast).toFixed(2),
    },
    {
      name: 'sends to 10 subscribers by the ceiling',
      figure: ratio.toFixed(2),
      target: '≥ 0.50',
      met: ratio >= 0.5,
    },
    {
      name: 'cost of a send to 10 000 by one to 10',
      figure: cost.toFixed(2),
      target: '≤ 1.30',
      met: cost <= 1.3,
    },
  ]
}

/** By how much one lane is faster than another, taken round by round. */
function ratioOf(lane: Lane, other: Lane): number {
  return median(lane.rates.map((rate, round) => rate / (other.rates[round] ?? 0)))
}

function perSecond({ rates }: Lane): string {
  return `${Math.round(median(rates))} / s`
}
