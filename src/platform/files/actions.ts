import { seconds } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Store, Tx } from '#platform/store/write.ts'
import { endLease, findLease, hold } from './leases.ts'
import { deleteLoose, isLoose, isNamed, listLoose, upsertLoose } from './queries.ts'
import type { FileStore } from './store.ts'

/** How long contents are kept that no row references yet, or that a crash left behind. */
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

/** Keeps a lease from removing what others have a say in: the sweep decides about it. */
function want(tx: Tx, hash: string): void {
  const lease = findLease(tx, hash)
  if (lease) lease.wanted = true
}

/** Contents that are removed once nobody works with them, unless a row references them by then. */
export interface Leases {
  /** Begins with stored contents, before they have their name. */
  begin(hash: string): Promise<void>
  /** To be called once for each `begin`. Never rejects. */
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
      // Where this fails, the sweep finds the contents after the grace period.
      await store.write((tx) => settle(tx, files, hash)).catch(() => {})
    },
  }
}

/** Decides about contents at the end of their lease. */
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
export function sweep(tx: Tx, files: Context['files'], most: number): number {
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
