import { seconds } from '#platform/clock.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** The last change of how long messages are kept. */
export interface RetentionChange {
  /** How many changes there have been since the start of the server. */
  readonly count: number
  /** Seconds since the epoch. */
  readonly at: number
}

const changes = perDatabase(() => ({ last: { count: 0, at: 0 } as RetentionChange }))

/** The last change since the start of the server; undefined: none. */
export function lastRetentionChange(read: Read): RetentionChange | undefined {
  const { last } = changes(read)
  return last.count > 0 ? last : undefined
}

/** Lets the deletion of old messages start over. Call it with every change of how long they are kept. */
export function noteRetentionChange(tx: Tx): void {
  const at = seconds(tx.clock)
  tx.afterCommit(() => {
    const state = changes(tx)
    state.last = { count: state.last.count + 1, at }
  })
  wakeJobs(tx)
}
