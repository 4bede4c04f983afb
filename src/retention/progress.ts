import { seconds } from '#clock.ts'
import { wakeJobs } from '#jobs/wake.ts'
import { prepared } from '#store/prepared.ts'
import type { Read, Tx } from '#store/write.ts'

/** For how long a changed setting deletes nothing, so that a slip can be taken back; seconds. */
export const graceSeconds = 300

/** How far the deletion of old messages has come. */
export interface Progress {
  /** When to go on, in seconds since the epoch. */
  nextAt: number
  /** The place that was done last in the round that is under way; 0: none is. */
  after: number
  /** How many messages were deleted that the full-text index still knows of. */
  unmerged: number
  /** Whether it is being rid of them. */
  isMerging: boolean
  /** When something will be too old next, as far as this round has seen; seconds. */
  nextOld: number
}

const progress = prepared(() => ({ current: undefined as Progress | undefined }))

/** In memory: a start of the server begins anew, after the grace. */
export function progressOf(read: Read): Progress {
  const state = progress(read)
  state.current ??= startOver(seconds(read.clock) + graceSeconds, 0)
  return state.current
}

/** Whoever changes how long messages are kept calls it: the next round begins after the grace. */
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
