import { lastRetentionChange } from '#features/foundation/realm/retention-changes.queries.ts'
import { seconds } from '#platform/clock.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/store.ts'

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

const progress = perDatabase(() => ({
  current: undefined as Progress | undefined,
  /** The number of changes of settings that the current round knows of. */
  changes: 0,
}))

/**
 * Kept in memory: after a restart of the server, and after each change of how long messages are
 * kept, a new round begins, after the grace period.
 */
export function progressOf(read: Read): Progress {
  const state = progress(read)
  const change = lastRetentionChange(read)
  if (change && change.count !== state.changes) {
    state.changes = change.count
    state.current = startOver(change.at + graceSeconds, state.current?.unmerged ?? 0)
  }
  state.current ??= startOver(seconds(read.clock) + graceSeconds, 0)
  return state.current
}

/** @param nextAt seconds since the epoch */
export function startOver(nextAt: number, unmerged: number): Progress {
  return { nextAt, after: 0, unmerged, isMerging: false, nextOld: Number.POSITIVE_INFINITY }
}
