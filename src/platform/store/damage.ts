import { isDiskFull } from './disk-full.ts'
import { perDatabase } from './per-database.ts'
import type { Read } from './store.ts'

const seen = perDatabase((): { reason: string | undefined } => ({ reason: undefined }))

/**
 * Notes errors that mean that a page of the database, or the disk, cannot be read. A write that failed
 * is none of them: `lastCommitError` tells of it until one succeeds.
 */
export function noteDamage(read: Read, error: unknown): void {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: string }
  if (
    !/^SQLITE_(CORRUPT|NOTADB|IOERR(?!_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE)))/.test(String(code)) ||
    isDiskFull(error)
  )
    return
  seen(read).reason = message
}

/** Why something could not be read since the start, in SQLite's words; undefined: nothing failed. */
export function damageOf(read: Read): string | undefined {
  return seen(read).reason
}
