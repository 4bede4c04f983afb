/** A long operation that the operator waits for: it reports its progress, and can be aborted. */
export interface Task {
  /** Aborted when nobody waits anymore, or the server stops. */
  readonly signal: AbortSignal
  /**
   * Reports the progress.
   *
   * @param step the current step, such as "Copying files"
   * @param isLong whether the step may block the process for long
   * @param unit what is counted, in the plural, such as `messages`; `bytes` are shown in megabytes
   */
  report(step: string, done: number, total: number, isLong?: boolean, unit?: string): void
  /** Tells the operator something that they should know, in a sentence. */
  note?(text: string): void
}

/** A task that nobody watches. */
export const unwatched: Task = { signal: new AbortController().signal, report() {} }
