import { createTally } from '#platform/fairness/tally.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/store.ts'

/** Files that are being received. */
export interface ArrivalTotals {
  readonly files: number
  /** The announced size, or the received size if that is larger. */
  readonly bytes: number
}

/** By user. */
const arriving = perDatabase(() => ({ files: createTally(), bytes: createTally() }))

export function arrivingFrom(read: Read, userId: number): ArrivalTotals {
  const { files, bytes } = arriving(read)
  return { files: files.of(String(userId)), bytes: bytes.of(String(userId)) }
}

/** The number of bytes being received from all users. */
export function bytesArriving(read: Read): number {
  return arriving(read).bytes.total
}

/** Changes the number of files and bytes being received from a user. */
export function countArriving(read: Read, userId: number, more: ArrivalTotals): void {
  const { files, bytes } = arriving(read)
  files.add(String(userId), more.files)
  bytes.add(String(userId), more.bytes)
}
