import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/write.ts'

/** Contents that requests have stored and are working with, before a row references them. */
interface Lease {
  /** The number of requests that stored these contents and are not done with them. */
  holders: number
  /** Whether the contents are in the list of loose files because of the holders. */
  listed: boolean
  /** Whether somebody else stored them too, or a row that referenced them is gone. */
  wanted: boolean
}

/** By hash; as many as there are requests with a file. */
const leases = perDatabase(() => new Map<string, Lease>())

export function findLease(read: Read, hash: string): Lease | undefined {
  return leases(read).get(hash)
}

/** Adds a holder. To be paired with `leave`. */
export function hold(read: Read, hash: string): Lease {
  const lease = leases(read).get(hash) ?? { holders: 0, listed: false, wanted: false }
  lease.holders += 1
  leases(read).set(hash, lease)
  return lease
}

/** Ends a lease that nobody holds any more. @returns whether the contents may be removed at once */
export function endLease(read: Read, hash: string): boolean {
  const lease = leases(read).get(hash)
  if (!lease || lease.holders > 0) return false
  leases(read).delete(hash)
  return !lease.wanted
}
