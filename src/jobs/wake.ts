import { prepared } from '#store/prepared.ts'
import type { Read, Tx } from '#store/write.ts'

const alarm = prepared(() => ({ ring: () => {} }))

/** Whoever makes something due, or due earlier, calls it: once committed, the jobs look again. */
export function wakeJobs(tx: Tx): void {
  tx.afterCommit(() => alarm(tx).ring())
}

/** Who is to be told, for this database. */
export function onWake(read: Read, ring: () => void): void {
  alarm(read).ring = ring
}
