import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/write.ts'

/** Files that are being received. */
export interface Arriving {
  files: number
  /** Announced, or received where more than announced came. */
  bytes: number
}

/** By the user who sends them; without those who send nothing. */
const arriving = perDatabase(() => new Map<number, Arriving>())

export function arrivingFrom(read: Read, userId: number): Arriving {
  return arriving(read).get(userId) ?? { files: 0, bytes: 0 }
}

/** The bytes that are arriving from all users together. */
export function bytesArriving(read: Read): number {
  let bytes = 0
  for (const each of arriving(read).values()) bytes += each.bytes
  return bytes
}

/** Changes what is arriving from a user. */
export function countArriving(read: Read, userId: number, more: Arriving): void {
  const before = arrivingFrom(read, userId)
  const now = { files: before.files + more.files, bytes: before.bytes + more.bytes }
  if (now.files > 0) arriving(read).set(userId, now)
  else arriving(read).delete(userId)
}
