import type { Clock } from '#platform/clock.ts'

/** Calls back for each of many things once it has waited for a fixed time. */
export interface Deadlines<T> {
  /** Starts or restarts the wait of a thing. */
  start(item: T): void
  stop(item: T): void
}

/**
 * Uses one timer for all: waiting polls are renewed with each event, thousands at a time.
 *
 * @param ms how long each waits
 * @param onDue gets each thing that has waited so long, and no longer waits
 */
export function createDeadlines<T>(
  clock: Clock,
  ms: number,
  onDue: (item: T) => void,
): Deadlines<T> {
  /**
   * When each is due, in milliseconds. The order is that of the due times, because all wait equally
   * long.
   */
  const waiting = new Map<T, number>()
  let isTimed = false

  function tell(): void {
    const now = clock.elapsed()
    // Includes those that start to wait meanwhile.
    for (const [item, at] of waiting) {
      if (at > now) {
        clock.after(at - now, tell)
        return
      }
      waiting.delete(item)
      onDue(item)
    }
    isTimed = false
  }

  return {
    start(item) {
      waiting.delete(item)
      waiting.set(item, clock.elapsed() + ms)
      if (isTimed) return
      isTimed = true
      clock.after(ms, tell)
    },
    stop: (item) => void waiting.delete(item),
  }
}
