import { seconds } from '#platform/clock.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Store, Tx } from '#platform/store/store.ts'
import { endLease, findLease, hold } from './leases.ts'
import { deleteLoose, isLoose, isNamed, listLoose, upsertLoose } from './queries.ts'
import type { FileStore } from './store.ts'

/** How long contents are kept before any row references them, for example after a crash. */
export const graceSeconds = 3600

/**
 * Marks contents as possibly unreferenced: `sweep` removes them after the grace period if no row
 * references them. Call it after storing contents.
 */
export function markLoose(tx: Tx, hash: string): void {
  want(tx, hash)
  upsertLoose(tx, hash, seconds(tx.clock))
  wakeJobs(tx)
}

/**
 * Marks contents that a row no longer references: they are removed soon unless another row does.
 * Call it when deleting or replacing a hash in a row.
 */
export function releaseFile(tx: Tx, hash: string): void {
  want(tx, hash)
  upsertLoose(tx, hash, seconds(tx.clock) - graceSeconds)
  wakeJobs(tx)
}

/**
 * Leaves the removal of contents that something else may use to the sweep, not to the end of a
 * lease.
 */
function want(tx: Tx, hash: string): void {
  const lease = findLease(tx, hash)
  if (lease) lease.wanted = true
}

/**
 * Leases on contents that requests work with. At the end of the last one, the contents are removed
 * unless a row references them.
 */
export interface Leases {
  /** Begins a lease. Call it before the contents are renamed to their final name. */
  begin(hash: string): Promise<void>
  /** Ends a lease: call it once for each `begin`. Never rejects. */
  end(hash: string): Promise<void>
}

export function createLeases(store: Store, files: Pick<FileStore, 'isHeld' | 'removeNow'>): Leases {
  return {
    begin(hash) {
      const lease = hold(store, hash)
      return store.write((tx) => {
        if (!lease.listed) lease.wanted ||= isLoose(tx, hash)
        lease.listed = true
        upsertLoose(tx, hash, seconds(tx.clock))
        wakeJobs(tx)
      })
    },
    async end(hash) {
      const lease = findLease(store, hash)
      if (lease) lease.holders -= 1
      // If this fails, the sweep finds the contents after the grace period.
      await store.write((tx) => settle(tx, files, hash)).catch(() => {})
    },
  }
}

/** Removes contents at the end of their lease if nothing else uses them. */
function settle(tx: Tx, files: Pick<FileStore, 'isHeld' | 'removeNow'>, hash: string): void {
  if (!endLease(tx, hash) || files.isHeld()) return
  if (!isNamed(tx, hash)) files.removeNow(hash)
  deleteLoose(tx, hash)
}

/**
 * Removes unreferenced contents whose grace period is over.
 *
 * @param most the number of contents to check
 * @returns the number checked; if fewer than `most`, nothing more is due
 */
export function sweep(tx: Tx, files: FileStore, most: number): number {
  if (files.isHeld()) return 0
  const due = listLoose(tx, seconds(tx.clock) - graceSeconds, most)
  for (const hash of due) {
    // Inside the write, so that contents stored again from now on are written after the removal.
    const isLeased = findLease(tx, hash) !== undefined
    if (!isLeased && !isNamed(tx, hash)) files.removeNow(hash)
    deleteLoose(tx, hash)
    if (isLeased) upsertLoose(tx, hash, seconds(tx.clock))
  }
  return due.length
}
