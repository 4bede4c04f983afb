import { perDatabase } from '#platform/store/per-database.ts'
import type { Read } from '#platform/store/store.ts'

/** A release of Parley that is newer than the program. */
export interface NewerRelease {
  /** Such as `0.2.0`. */
  readonly version: string
  /** A web page about it; null: none is known. */
  readonly url: string | null
}

const known = perDatabase((): { release: NewerRelease | null } => ({ release: null }))

/** The newest release that this server knows, if it is newer. Most servers do not ask anyone. */
export function newerRelease(read: Read): NewerRelease | null {
  return known(read).release
}

export function noteNewerRelease(read: Read, release: NewerRelease | null): void {
  known(read).release = release
}
