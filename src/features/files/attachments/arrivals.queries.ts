import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/write.ts'

/** Files that are being received. */
export interface Arriving {
  files: number
  /** The announced size, or the received size if that is larger. */
  bytes: number
}

/** By user ID; only users who are sending files. */
const arriving = perDatabase(() => new Map<number, Arriving>())

export function arrivingFrom(read: Read, userId: number): Arriving {
  return arriving(read).get(userId) ?? { files: 0, bytes: 0 }
}

/** The number of bytes being received from all users. */
export function bytesArriving(read: Read): number {
  let bytes = 0
  for (const each of arriving(read).values()) bytes += each.bytes
  return bytes
}

/** Changes the number of files and bytes being received from a user. */
export function countArriving(read: Read, userId: number, more: Arriving): void {
  const before = arrivingFrom(read, userId)
  const now = { files: before.files + more.files, bytes: before.bytes + more.bytes }
  if (now.files > 0) arriving(read).set(userId, now)
  else arriving(read).delete(userId)
}
