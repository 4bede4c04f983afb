/** Something long that the operator waits for: how it tells how far it is, and when to give up. */
export interface Task {
  /** Aborted when nobody waits anymore, or the server stops. */
  readonly signal: AbortSignal
  /**
   * Tells how far it is.
   *
   * @param step what it does now, such as "Copying files"
   * @param isLong whether it may take long and nothing else can be done in this process meanwhile
   * @param unit what is counted, in the plural, such as `messages`; `bytes` are shown in megabytes
   */
  report(step: string, done: number, total: number, isLong?: boolean, unit?: string): void
  /** Tells the operator something to know, in a sentence. */
  note?(text: string): void
}

/** A task that nobody watches. */
export const unwatched: Task = { signal: new AbortController().signal, report() {} }
