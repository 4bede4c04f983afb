import { perDatabase } from './per-database.ts'
import type { Read } from './write.ts'

const last = perDatabase((): { error: string | undefined } => ({ error: undefined }))

/** Records how a commit ended. @param error undefined: well */
export function recordCommit(read: Read, error?: unknown): void {
  last(read).error = error === undefined ? undefined : messageOf(error)
}

/** Why the last commit failed; undefined: it did not. */
export function lastCommitError(read: Read): string | undefined {
  return last(read).error
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
