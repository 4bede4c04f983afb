import { seconds } from '#platform/clock.ts'
import type { Read } from '#platform/store/store.ts'
import { findQuietTimes } from './queries.ts'
import { quietUntil } from './times.ts'

/** When a user may be notified again, in seconds since the epoch; undefined: now. */
export function quietTimeEnd(read: Read, userId: number): number | undefined {
  const now = seconds(read.clock)
  return quietUntil(findQuietTimes(read, userId, now), now)
}
