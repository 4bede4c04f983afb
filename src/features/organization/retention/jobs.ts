import { setImmediate } from 'node:timers/promises'
import { seconds } from '#platform/clock.ts'
import type { SystemContext } from '#platform/context.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { writeLong } from '#platform/long-write.ts'
import type { Store } from '#platform/store/store.ts'
import { deleteExpired, forgetDeleted, secondsPerDay } from './actions.ts'
import { type Progress, progressOf, startOver } from './progress.queries.ts'
import {
  effectiveDays,
  estimateMessages,
  isAnythingDeleted,
  listOldest,
  listRetentionScopes,
  mergeSearchIndex,
} from './queries.ts'

/** How long one run works, in milliseconds, before it pauses. */
const runBudget = 1000
const pauseSeconds = 1
/** The number of channels and conversations to check in one turn of the event loop. */
const placesPerTurn = 200
/** The share of deleted messages from which on the full-text index is rewritten without them. */
const mergeShare = 0.1
/** The pause between two rounds, in seconds; limited because an expired message may move in. */
const longestPause = 3600
const shortestPause = 60

/**
 * Deletes messages that are older than the retention period of their channel or of the
 * organization, channel by channel. A run that exceeds its time is continued by the next.
 */
export const deleteOldMessages: Job = {
  name: 'delete old messages',
  dueAt: (read) => (isAnythingDeleted(read) ? progressOf(read).nextAt : undefined),
  async run(server) {
    const { store, clock } = server
    const progress = progressOf(store)
    const until = performance.now() + runBudget
    while (performance.now() < until) {
      const places = listRetentionScopes(store, progress.after, placesPerTurn)
      if (places.length === 0) {
        if (!(await mergeDeleted(store, progress, until))) break
        const now = seconds(clock)
        const next = Math.min(Math.max(progress.nextOld, now + shortestPause), now + longestPause)
        Object.assign(progress, startOver(next, progress.unmerged))
        return
      }
      for (const { recipientId, ownDays } of places) {
        const days = effectiveDays(store, ownDays)
        if (days !== undefined && !(await prune(server, progress, recipientId, days, until))) break
        progress.after = recipientId
      }
      await setImmediate()
    }
    progress.nextAt = seconds(clock) + pauseSeconds
  },
}

/** Deletes the expired messages of one place. @returns false when time ran out before the end */
async function prune(
  server: SystemContext,
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
    const deleted = (count: number) => {
      progress.unmerged += count
    }
    const isDone = await writeLong(
      (tx) => deleteExpired(tx, recipientId, until, deleted),
      store.write,
    )
    if (!isDone) return false
    await writeLong((tx) => forgetDeleted(tx, recipientId), store.write)
  }
  progress.nextOld = Math.min(progress.nextOld, oldestDueAt())
  return true
}

/** Removes deleted messages from the full-text index. @returns false when time ran out */
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
