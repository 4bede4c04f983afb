import { statSync } from 'node:fs'

/** Something long that the operator waits for: how it tells how far it is, and when to give up. */
export interface Task {
  /** Aborted when nobody waits any more, or the server stops. */
  readonly signal: AbortSignal
  /**
   * Tells how far it is.
   *
   * @param step what it does now, such as "Copying files"
   * @param isLong whether it may take long and nothing else can be done in this process meanwhile
   */
  report(step: string, done: number, total: number, isLong?: boolean): void
}

/** A task that nobody watches. */
export const unwatched: Task = { signal: new AbortController().signal, report() {} }

/** What a command ends with. */
export interface Outcome {
  /** The text to print. */
  readonly output: string
  /** Whether it is a failure all the same: the exit code is 1. */
  readonly failed?: boolean
}

const longFromBytes = 64 * 1024 * 1024

/** Whether work on all of a database may take seconds: never for one in memory. */
export function takesLong(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= longFromBytes
}
