import { seconds } from '#clock.ts'
import type { Context } from '#context.ts'
import { wakeJobs } from '#jobs/wake.ts'
import type { Tx } from '#store/write.ts'
import { deleteLoose, isNamed, listLoose, upsertLoose } from './queries.ts'

/** How long contents stay that nothing names: whoever has just put them still has to name them. */
export const graceSeconds = 3600

/**
 * Contents have come that no row names yet, or a row that named them goes: if nothing names them
 * when the grace time is over, they are removed. Whatever deletes or replaces a hash calls it.
 */
export function noteFile(tx: Tx, hash: string): void {
  upsertLoose(tx, hash, seconds(tx.clock))
  wakeJobs(tx)
}

/**
 * Removes contents that nothing names, of those whose grace time is over.
 *
 * @returns how many it looked at; fewer than `most`: nothing more is due
 */
export function sweep(tx: Tx, files: Context['files'], most: number): number {
  if (files.isHeld()) return 0
  const due = listLoose(tx, seconds(tx.clock) - graceSeconds, most)
  for (const hash of due) {
    // Within the write: contents that are put again from now on come after their removal.
    if (!isNamed(tx, hash)) files.removeNow(hash)
    deleteLoose(tx, hash)
  }
  return due.length
}
