import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'

/** How much CPU a request may take on a usual machine. */
const allowedMs = 100

/** What the yardstick takes on a usual machine: the one that the limits were set on, when idle. */
const usualMs = 6

const objects = Array.from({ length: 5000 }, (_, i) => ({ id: i, name: `name ${i}` }))

/** A fixed piece of work of the kinds that answering a request is made of. */
function yardstick(): void {
  const text = JSON.stringify(objects)
  const parsed = JSON.parse(text) as typeof objects
  const words = parsed.flatMap(({ name }) => name.match(/\w+/g) ?? [])
  for (let i = 0; i < 4; i++) createHash('sha256').update(text).update(words.join(' ')).digest()
}

/** In milliseconds of CPU, of the whole process with its threads. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

let isWarm = false

/** How many times slower than a usual machine this one is now; never less than 1. */
export async function slowness(): Promise<number> {
  // Compiled code is four times as fast.
  if (!isWarm) for (let i = 0; i < 20; i++) yardstick()
  isWarm = true
  const runs = 5
  const cpu = await cpuOf(() => {
    for (let i = 0; i < runs; i++) yardstick()
  })
  return Math.max(1, cpu / runs / usualMs)
}

const tries = 32

/**
 * Requires that something takes at most 100 ms of CPU.
 *
 * How that is sure on any machine: CPU counts, not time, so that what else runs takes nothing away.
 * What is above the limit is held against a yardstick, measured in this process just then: on a
 * machine that is three times slower it may take three times as long. And the best of thirty-two tries
 * counts, because a process also collects garbage, compiles for what came before, and
 * shares caches with what else runs. Only a failure takes them all.
 *
 * @param attempt does the same each time, and returns what it took in milliseconds of CPU
 */
export async function assertCheap(what: string, attempt: () => Promise<number>): Promise<void> {
  let least = Infinity
  for (let i = 0; i < tries; i++) {
    const cpu = await attempt()
    if (cpu <= allowedMs) return
    least = Math.min(least, cpu / (await slowness()))
    if (least <= allowedMs) return
  }
  assert.fail(`${what}: ${Math.round(least)} ms of a usual machine's CPU`)
}
