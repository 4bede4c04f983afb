import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Line, median, milliseconds, percentile } from './figures.ts'
import { crowd, eachAtATime, type House, senders } from './peers/house.ts'
import { openFloor, openOwn } from './peers/http-houses.ts'
import { peers } from './peers/programs.ts'
import { openPeer } from './peers/xmpp-house.ts'
import { cpuSecondsOf, type Program } from './processes.ts'
import { residentMegabytes } from './watching.ts'

const sendMs = 3000
const readerCounts = [10, 200] as const
const broadcasts = 20
/** Between two of them, and before memory is read, in milliseconds. */
const restMs = 300
const idleMs = 3000
const historyCount = 100
const histories = 50
/** How long the last reader may take, in milliseconds. */
const longestMs = 30_000
/** What is looked for after a kill, and how long sends are waited for before it, in milliseconds. */
const looked = 50
const longestBeforeKillMs = 20_000

/** Ours. */
const own = 'Parley, streams'

/**
 * What the bare Node of this machine can do, by polls and by streams, then ours and those of others that
 * are installed, each at the same task, one after another.
 *
 * @param detail the names of the only ones to measure beside ours, such as `floor` or `Prosody`
 */
export async function measurePeers(
  program: Program,
  folder: string,
  detail: string,
): Promise<Line[]> {
  const isWanted = (name: string) => name.startsWith(detail)
  const at = (name: string) => join(folder, `peers-${name.replace(', ', '-')}`)
  const houses = new Map<string, () => Promise<House>>()
  for (const delivery of ['polls', 'streams'] as const) {
    const name = `floor, ${delivery}`
    if (isWanted(name)) houses.set(name, () => openFloor(at(name), delivery))
  }
  for (const delivery of ['polls', 'streams'] as const) {
    const name = `Parley, ${delivery}`
    if (isWanted(name) || name === own) houses.set(name, () => openOwn(program, at(name), delivery))
  }
  for (const peer of peers.filter(({ name }) => isWanted(name))) {
    const { name, packages } = peer
    if (peer.isInstalled()) houses.set(name, () => openPeer(peer, at(name)))
    else console.error(`${name} is not installed (apt-get install ${packages}): left out`)
  }
  const found = new Map<string, Map<string, string>>()
  for (const [name, open] of houses) {
    const figures = new Map<string, string>()
    found.set(name, figures)
    try {
      await measureHouse(open, figures)
    } catch (error) {
      if (name === own) throw error
      console.error(`${name} did not get further: ${error}`)
    }
  }
  const others = [...found].filter(([name]) => name !== own)
  return [...(found.get(own) ?? [])].map(([name, figure]) => ({
    name,
    figure,
    others: Object.fromEntries(others.map(([peer, its]) => [peer, its.get(name) ?? '-'])),
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
    const { perSecond, deliveries, times } = await sendAll(house)
    note(
      { what: `sends with ${readers} readers`, figure: `${Math.round(perSecond)} / s` },
      { what: `deliveries to ${readers} readers`, figure: `${Math.round(deliveries)} / s` },
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

async function sendAll(house: House) {
  const times: number[] = []
  let delivered = 0
  house.listen(() => {
    delivered += 1
  })
  const began = performance.now()
  const lanes = Array.from({ length: senders * eachAtATime }, async (_, lane) => {
    while (performance.now() - began < sendMs) {
      const from = performance.now()
      await house.send(lane % senders, `A message of some words by ${lane}: ${times.length}.`)
      times.push(performance.now() - from)
    }
  })
  await Promise.all(lanes)
  const seconds = (performance.now() - began) / 1000
  return { perSecond: times.length / seconds, deliveries: delivered / seconds, times }
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
