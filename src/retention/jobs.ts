import { setImmediate } from 'node:timers/promises'
import { seconds } from '#clock.ts'
import type { Context } from '#context.ts'
import type { Job } from '#jobs/jobs.ts'
import type { Store } from '#store/write.ts'
import { deleteOldest, forgetOldest, secondsPerDay } from './actions.ts'
import { type Progress, progressOf, startOver } from './progress.ts'
import {
  effectiveDays,
  estimateMessages,
  isAnythingDeleted,
  listOldest,
  listPlaces,
  mergeSearchIndex,
} from './queries.ts'

/** How long one write should take at most: everybody else waits that long. Milliseconds. */
const writeBudget = 10
/** How long one run goes on, and for how long it then leaves the machine to others. */
const runBudget = 1000
const pauseSeconds = 1
/** How many messages, or readers, one write takes at least and at most. */
const leastRows = 5
const mostRows = 300
/** How many places are looked at in one turn of the event loop. */
const placesPerTurn = 200
/** From which share of deleted messages on the full-text index is written anew without them. */
const mergeShare = 0.1
/** The longest pause between two rounds, in seconds: a message that was moved may be too old. */
const longestPause = 3600
const shortestPause = 60

/**
 * Deletes messages that are older than their channel or the organization keeps them. Each place is
 * looked at in turn; what one run does not get done, the next goes on with.
 */
export const deleteOldMessages: Job = {
  name: 'delete old messages',
  dueAt: (read) => (isAnythingDeleted(read) ? progressOf(read).nextAt : undefined),
  async run(server) {
    const { store, clock } = server
    const progress = progressOf(store)
    const until = performance.now() + runBudget
    while (performance.now() < until) {
      const places = listPlaces(store, progress.after, placesPerTurn)
      if (places.length === 0) {
        if (!(await mergeDeleted(store, progress, until))) break
        const now = seconds(clock)
        const next = Math.min(Math.max(progress.nextOld, now + shortestPause), now + longestPause)
        Object.assign(progress, startOver(next, progress.unmerged))
        return
      }
      for (const { recipientId, ownDays } of places) {
        const days = effectiveDays(store, ownDays)
        if (days !== undefined && !(await clear(server, progress, recipientId, days, until))) break
        progress.after = recipientId
      }
      await setImmediate()
    }
    progress.nextAt = seconds(clock) + pauseSeconds
  },
}

/** Deletes what is too old in one place. @returns false when time ran out before the end */
async function clear(
  server: Context,
  progress: Progress,
  recipientId: number,
  days: number,
  until: number,
): Promise<boolean> {
  const { store, clock } = server
  const oldestDueAt = () => {
    const [oldest] = listOldest(store, recipientId, 1)
    return oldest ? oldest.sentAt + days * secondsPerDay : Number.POSITIVE_INFINITY
  }
  if (oldestDueAt() <= seconds(clock)) {
    const isDone = await inSlices(until, async (most) => {
      const deleted = await store.write((tx) => deleteOldest(tx, recipientId, most))
      progress.unmerged += deleted
      return deleted === most
    })
    if (!isDone) return false
    await forgetReaders(store.write, recipientId)
  }
  progress.nextOld = Math.min(progress.nextOld, oldestDueAt())
  return true
}

/** Takes what was deleted out of the full-text index. @returns false when time ran out */
async function mergeDeleted(store: Store, progress: Progress, until: number): Promise<boolean> {
  const isWorthIt = progress.unmerged > mergeShare * estimateMessages(store)
  if (!isWorthIt && !progress.isMerging) return true
  while (performance.now() < until) {
    const isFirst = !progress.isMerging
    progress.isMerging = await store.write((tx) => mergeSearchIndex(tx, isFirst))
    if (progress.isMerging) continue
    progress.unmerged = 0
    return true
  }
  return false
}

async function forgetReaders(write: Store['write'], recipientId: number): Promise<void> {
  let after: number | undefined = 0
  await inSlices(Number.POSITIVE_INFINITY, async (most) => {
    const from = after ?? 0
    after = await write((tx) => forgetOldest(tx, recipientId, from, most))
    return after !== undefined
  })
}

/**
 * Calls `work` until it says that nothing is left, with about as much to do each time as fits the
 * budget of one write, by how long it took before.
 *
 * @returns false when it was `until` and something was left
 */
async function inSlices(until: number, work: (most: number) => Promise<boolean>): Promise<boolean> {
  let most = 20
  while (performance.now() < until) {
    const start = performance.now()
    if (!(await work(most))) return true
    const factor = writeBudget / Math.max(performance.now() - start, 1)
    most = Math.round(clamp(most * clamp(factor, 0.5, 1.5), leastRows, mostRows))
  }
  return false
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
