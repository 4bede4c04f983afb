import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/store.ts'

/** Contents that requests have stored and still work with, before a row references them. */
interface Lease {
  /** The number of requests that work with these contents. */
  holders: number
  /** Whether a holder has added the contents to `loose_files`. */
  listed: boolean
  /** Whether something else has marked them as possibly unreferenced, so that the sweep decides. */
  wanted: boolean
}

/** By hash. There are at most as many as requests with a file. */
const leases = perDatabase(() => new Map<string, Lease>())

export function findLease(read: Read, hash: string): Lease | undefined {
  return leases(read).get(hash)
}

/** Adds a holder. */
export function hold(read: Read, hash: string): Lease {
  const lease = leases(read).get(hash) ?? { holders: 0, listed: false, wanted: false }
  lease.holders += 1
  leases(read).set(hash, lease)
  return lease
}

/** Ends a lease that has no holders left. @returns whether the contents may be removed immediately */
export function endLease(read: Read, hash: string): boolean {
  const lease = leases(read).get(hash)
  if (!lease || lease.holders > 0) return false
  leases(read).delete(hash)
  return !lease.wanted
}
