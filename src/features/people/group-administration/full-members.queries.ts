import { roles } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'

const nextJoined = preparedSql<{ dateJoined: number | null }>(`
  SELECT min(date_joined) AS dateJoined FROM users
  WHERE date_joined > @after AND is_active AND role = ${roles.member}
`)

/** Kept in memory only: after a restart it begins at the time of the first read. */
const emitted = perDatabase(() => ({ until: undefined as number | undefined }))

/** The time up to which new full members were emitted, in seconds since the epoch. */
export function emittedUntil(read: Read): number {
  const state = emitted(read)
  state.until ??= seconds(read.clock)
  return state.until
}

/** @param until the time up to which new full members were emitted, in seconds since the epoch */
export function setEmittedUntil(read: Read, until: number): void {
  emitted(read).until = until
}

/**
 * The earliest time after `after` at which an active member joined; undefined: none. Both are in
 * seconds since the epoch.
 */
export function nextJoinedAfter(read: Read, after: number): number | undefined {
  return nextJoined(read).get({ after })?.dateJoined ?? undefined
}
