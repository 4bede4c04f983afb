import { perDatabase } from '#platform/store/per-database.ts'
import type { Read, Tx } from '#platform/store/write.ts'

const alarm = perDatabase(() => ({ ring: () => {} }))

/** Rechecks after the commit which jobs are due. Call it when something becomes due earlier. */
export function wakeJobs(tx: Tx): void {
  tx.afterCommit(() => alarm(tx).ring())
}

/** Sets the function that rechecks the jobs of this database. */
export function onWake(read: Read, ring: () => void): void {
  alarm(read).ring = ring
}
