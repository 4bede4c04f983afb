import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '#features/foundation/users/queries.ts'
import { type Line, median, milliseconds, percentile } from './figures.ts'
import { ask, encodeForm, getRequest, openConnection, poster } from './http.ts'
import { openQueue } from './listeners.ts'
import { addChannel, addPeople, seedFolder } from './organization.ts'
import { type Peer, peers } from './peers/programs.ts'
import { openXmpp, type XmppClient } from './peers/xmpp.ts'
import { cpuSecondsOf, type Program, startServer } from './processes.ts'
import { residentMegabytes } from './watching.ts'

/** Who sends, each so many messages at a time. */
const senders = 10
const eachAtATime = 5
const sendMs = 3000
const readerCounts = [10, 200] as const
const crowd = 1000
const broadcasts = 20
/** Between two of them, and before memory is read, in milliseconds. */
const restMs = 300
const idleMs = 3000
const historyCount = 100
const histories = 50
const together = 50
/** How long the last reader may take, in milliseconds. */
const longestMs = 30_000
/** What is looked for after a kill, and how long sends are waited for before it, in milliseconds. */
const looked = 50
const longestBeforeKillMs = 20_000

/** A server with people in one place where they talk. */
interface House {
  readonly name: string
  readonly pid: () => number
  readonly startMs: () => number
  /** Lets people come in until so many are there. */
  fill(people: number): Promise<void>
  /** Sends a text as one of those who came first. Resolves when the server has accepted it. */
  send(sender: number, text: string): Promise<unknown>
  /** Calls `take` with each message that one of the people gets. */
  listen(take: (text: string) => void): void
  /** The texts of the newest messages. */
  history(count: number): Promise<string[]>
  /** Kills the process, and starts it anew on what it left. */
  killAndStart(): Promise<void>
  stop(): Promise<void>
}

/**
 * Ours beside ejabberd and Prosody, each at the same task, one after another.
 *
 * @param detail the name of the only one to compare with
 */
export async function measurePeers(
  program: Program,
  folder: string,
  detail: string,
): Promise<Line[]> {
  const wanted = peers.filter(({ name }) => detail === '' || name === detail)
  const installed = wanted.filter((peer) => peer.isInstalled())
  for (const { name, packages } of wanted.filter((peer) => !installed.includes(peer))) {
    console.error(`${name} is not installed (apt-get install ${packages}): left out`)
  }
  const own = new Map<string, string>()
  await measureHouse(() => openOwn(program, join(folder, 'peers-own')), own)
  const others = new Map(installed.map(({ name }) => [name, new Map<string, string>()]))
  for (const peer of installed) {
    const open = () => openPeer(peer, join(folder, `peers-${peer.name}`))
    try {
      await measureHouse(open, others.get(peer.name) ?? new Map())
    } catch (error) {
      console.error(`${peer.name} did not get further: ${error}`)
    }
  }
  return [...own].map(([name, figure]) => ({
    name,
    figure,
    others: Object.fromEntries([...others].map(([peer, its]) => [peer, its.get(name) ?? '-'])),
  }))
}

interface Figure {
  readonly what: string
  readonly figure: string
}

/** @param figures what was found out so far, by what it is */
async function measureHouse(
  open: () => Promise<House>,
  figures: Map<string, string>,
): Promise<void> {
  const house = await open()
  console.error(`measuring: ${house.name}`)
  // The comparison takes minutes, so each figure is shown once it is there.
  const note = (...more: readonly Figure[]) => {
    for (const { what, figure } of more) {
      figures.set(what, figure)
      console.error(`  ${what}: ${figure}`)
    }
  }
  try {
    await measureAll(house, note)
  } finally {
    await house.stop()
  }
}

async function measureAll(house: House, note: (...more: readonly Figure[]) => void): Promise<void> {
  await sleep(idleMs)
  note(
    { what: 'start to the first answer', figure: milliseconds(house.startMs()) },
    { what: 'resident memory, idle', figure: `${residentMegabytes(house.pid()).toFixed(0)} MB` },
  )
  for (const readers of readerCounts) {
    await house.fill(readers)
    const { perSecond, times } = await sendAll(house)
    note(
      { what: `sends with ${readers} readers`, figure: `${Math.round(perSecond)} / s` },
      {
        what: `acknowledgement of a send with ${readers} readers, ${senders * eachAtATime} at a time`,
        figure: `${milliseconds(median(times))} p50, ${milliseconds(percentile(times, 99))} p99`,
      },
    )
  }
  const times = await readHistory(house)
  note({
    what: `newest ${historyCount} of the history`,
    figure: `${milliseconds(median(times))} p50, ${milliseconds(percentile(times, 99))} p99`,
  })
  await house.fill(crowd)
  note(...(await deliverToAll(house)))
  note({
    what: 'lost of those acknowledged, after kill -9',
    figure: await killAmidSends(house),
  })
}

async function sendAll(house: House): Promise<{ perSecond: number; times: number[] }> {
  const times: number[] = []
  house.listen(() => {})
  const began = performance.now()
  const lanes = Array.from({ length: senders * eachAtATime }, async (_, lane) => {
    while (performance.now() - began < sendMs) {
      const from = performance.now()
      await house.send(lane % senders, `A message of some words by ${lane}: ${times.length}.`)
      times.push(performance.now() - from)
    }
  })
  await Promise.all(lanes)
  return { perSecond: (times.length / (performance.now() - began)) * 1000, times }
}

async function readHistory(house: House): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < histories; i++) {
    const from = performance.now()
    const texts = await house.history(historyCount)
    times.push(performance.now() - from)
    if (texts.length !== historyCount) throw new Error(`${texts.length} messages of ${house.name}`)
  }
  return times
}

async function deliverToAll(house: House): Promise<Figure[]> {
  const times: number[] = []
  const before = cpuSecondsOf(house.pid())
  for (let round = 0; round < broadcasts; round++) {
    await sleep(restMs)
    const text = `For everybody, ${round}.`
    let left = crowd
    const from = performance.now()
    const allHaveIt = new Promise<void>((resolve) => {
      house.listen((got) => {
        if (got.includes(text)) left -= 1
        if (left === 0) resolve()
      })
    })
    await house.send(0, text)
    await Promise.race([allHaveIt, sleep(longestMs, undefined, { ref: false }).then(() => left)])
    if (left > 0) throw new Error(`${left} readers of ${house.name} lack a message.`)
    times.push(performance.now() - from)
  }
  await sleep(restMs)
  const cost = ((cpuSecondsOf(house.pid()) - before) / broadcasts) * 1000
  return [
    {
      what: `the last of ${crowd} readers has a message after`,
      figure: `${milliseconds(median(times))} p50, ${milliseconds(Math.max(...times))} at most`,
    },
    { what: 'CPU of that', figure: milliseconds(cost) },
  ]
}

async function killAmidSends(house: House): Promise<string> {
  house.listen(() => {})
  const accepted: string[] = []
  let isKilled = false
  const lanes = Array.from({ length: senders }, async (_, sender) => {
    for (let i = 0; !isKilled; i++) {
      const text = `Before the end: ${sender} ${i}.`
      await house.send(sender, text)
      if (!isKilled) accepted.push(text)
    }
  })
  for (const lane of lanes) lane.catch(() => {})
  const began = performance.now()
  while (accepted.length < looked && performance.now() - began < longestBeforeKillMs) {
    await sleep(restMs)
  }
  isKilled = true
  await house.killAndStart()
  const kept = new Set(await house.history(historyCount))
  const newest = accepted.slice(-looked)
  const lost = newest.filter((text) => ![...kept].some((one) => one.includes(text)))
  return `${lost.length} of the newest ${newest.length}`
}

async function openOwn(program: Program, data: string): Promise<House> {
  mkdirSync(data)
  const { people, channel } = await seedFolder(data, (tx) => {
    const people = addPeople(tx, crowd)
    return { people, channel: addChannel(tx, 'everybody', people) }
  })
  let server = await startServer(program.file, data)
  let take: (text: string) => void = () => {}
  const listening: { close(): void }[] = []
  const send = people.slice(0, senders).map((user) => poster('/api/v1/messages', user))
  const openLines = () =>
    Promise.all(Array.from({ length: senders * eachAtATime }, () => openConnection(server.port)))
  let lines = await openLines()
  let free = [...lines]
  const page = getRequest(
    '/api/v1/messages',
    {
      anchor: 'newest',
      num_before: historyCount,
      num_after: 0,
      narrow: [{ operator: 'channel', operand: channel.id }],
    },
    people[0],
  )
  let reading = await openConnection(server.port)
  const follow = async (user: User) => {
    listening.push(await followAcknowledging(server.port, user, (text) => take(text)))
  }
  return {
    name: 'Parley',
    pid: () => server.pid,
    startMs: () => server.startMs,
    async fill(count) {
      while (listening.length < count) {
        const next = people.slice(listening.length, Math.min(count, listening.length + together))
        await Promise.all(next.map(follow))
      }
    },
    async send(sender, content) {
      const line = free.pop() ?? (await openConnection(server.port))
      const form = { type: 'channel', to: channel.id, topic: 'all', content }
      await ask(line, send[sender]?.(encodeForm(form)) ?? '')
      free.push(line)
    },
    listen(listener) {
      take = listener
    },
    async history() {
      const { messages } = JSON.parse((await ask(reading, page)).toString())
      return messages.map(({ content }: { content: string }) => content)
    },
    async killAndStart() {
      process.kill(server.pid, 'SIGKILL')
      await server.stop()
      server = await startServer(program.file, data)
      reading = await openConnection(server.port)
      lines = []
      free = []
    },
    async stop() {
      for (const { close } of [...listening, ...lines, reading]) close()
      await server.stop()
    },
  }
}

/** After so many events a client says that it has them, well before the server ends its stream. */
const acknowledgedAt = 100

/** Follows a stream as our client does. @param take gets the text of each message */
async function followAcknowledging(
  port: number,
  user: User,
  take: (text: string) => void,
): Promise<{ close(): void }> {
  const acknowledging = await openConnection(port)
  const { queue_id, last_event_id } = await openQueue(user, acknowledging)
  const post = poster('/api/v1/events/acknowledge', user)
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.setEncoding('utf8')
  let text = ''
  let unacknowledged = 0
  let isAcknowledging = false
  socket.on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
      text = text.slice(end + 2)
      if (data !== undefined) receive(JSON.parse(data))
    }
  })
  socket.on('error', () => {})

  function receive(events: readonly { id: number; message?: { content: string } }[]): void {
    for (const { message } of events) if (message) take(message.content)
    unacknowledged += events.length
    if (unacknowledged < acknowledgedAt || isAcknowledging) return
    unacknowledged = 0
    isAcknowledging = true
    const form = encodeForm({ queue_id, last_event_id: events.at(-1)?.id })
    acknowledging.send(post(form)).then(
      () => {
        isAcknowledging = false
      },
      () => {},
    )
  }

  const opened = once(socket, 'data')
  socket.write(getRequest('/api/v1/events/stream', { queue_id, last_event_id }, user))
  await opened
  return {
    close() {
      socket.destroy()
      acknowledging.close()
    },
  }
}

const room = 'everybody'

async function openPeer(peer: Peer, folder: string): Promise<House> {
  const names = Array.from({ length: crowd }, (_, i) => `person${i}`)
  let server = await peer.start(folder)
  peer.addAccounts(folder, names)
  let take: (text: string) => void = () => {}
  const clients: XmppClient[] = []
  const enter = async (name: string) => {
    const client = await openXmpp(server.port, name)
    await client.join(room)
    client.listen(({ body }) => take(body))
    return client
  }
  return {
    name: peer.name,
    pid: () => server.pid,
    startMs: () => server.startMs,
    async fill(count) {
      while (clients.length < count) {
        const first = clients.length
        // The first to come in makes the room.
        const some = Math.min(first === 0 ? 1 : together, count - first)
        clients.push(...(await Promise.all(names.slice(first, first + some).map(enter))))
      }
    },
    async send(sender, text) {
      await clients[sender]?.send(room, text)
    },
    listen(listener) {
      take = listener
    },
    history: async (count) => (await clients[0]?.history(room, count)) ?? [],
    async killAndStart() {
      await server.kill()
      for (const { close } of clients.splice(0)) close()
      server = await peer.start(folder)
      clients.push(await enter('person0'))
    },
    async stop() {
      for (const { close } of clients) close()
      await server.kill()
    },
  }
}
