import { perDatabase } from './per-database.ts'
import type { Read } from './store.ts'

const last = perDatabase((): { error: string | undefined } => ({ error: undefined }))

/** The size of a group commit, and how long each part took, in milliseconds. */
export interface CommitTimes {
  /** How many writes were committed together. */
  readonly writes: number
  /** Everything until the data was on disk. */
  readonly ms: number
  /** The functions of the writes. */
  readonly functionsMs: number
  /** Deciding who gets the events, and storing these. */
  readonly eventsMs: number
  /** Waiting for the disk: the COMMIT, with a checkpoint where one was due. */
  readonly diskMs: number
}

/** Records how a commit ended. @param error undefined: it succeeded */
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
