/** Something long that the operator waits for: how it tells how far it is, and when to give up. */
export interface Task {
  /** Aborted when nobody waits any more, or the server stops. */
  readonly signal: AbortSignal
  /** Tells how far it is. @param step what it does now, such as "Copying files" */
  report(step: string, done: number, total: number): void
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
