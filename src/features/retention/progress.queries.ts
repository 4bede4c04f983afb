import { seconds } from '#platform/clock.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read, Tx } from '#platform/store/write.ts'

/** How long after a change of settings nothing is deleted, in seconds: mistakes can be undone. */
export const graceSeconds = 300

/** The progress of the deletion of old messages. */
export interface Progress {
  /** When to continue, in seconds since the epoch. */
  nextAt: number
  /** The recipient id that the current round finished last; 0 between rounds. */
  after: number
  /** The number of deleted messages that are still in the full-text index. */
  unmerged: number
  /** Whether the removal of those messages from the index has begun. */
  isMerging: boolean
  /** When the next message expires, of those checked in this round; seconds since the epoch. */
  nextOld: number
}

const progress = perDatabase(() => ({ current: undefined as Progress | undefined }))

/** Kept in memory: after a restart of the server a new round begins, after the grace period. */
export function progressOf(read: Read): Progress {
  const state = progress(read)
  state.current ??= startOver(seconds(read.clock) + graceSeconds, 0)
  return state.current
}

/**
 * Starts a new round after the grace period. Every action that changes how long messages are kept
 * calls this.
 */
export function restartRetention(tx: Tx): void {
  const at = seconds(tx.clock) + graceSeconds
  tx.afterCommit(() => {
    progress(tx).current = startOver(at, progress(tx).current?.unmerged ?? 0)
  })
  wakeJobs(tx)
}

/** @param nextAt seconds since the epoch */
export function startOver(nextAt: number, unmerged: number): Progress {
  return { nextAt, after: 0, unmerged, isMerging: false, nextOld: Number.POSITIVE_INFINITY }
}
