import type { Clock } from '#platform/clock.ts'

/** Tells of each of many things when it has waited for a while, the same for all. */
export interface Deadlines<T> {
  /** Begins to wait, anew if it waits already. */
  start(item: T): void
  stop(item: T): void
}

/**
 * Has one timer for all: what waits for events is renewed with each of them, thousands at a time.
 *
 * @param ms how long each waits
 * @param onDue gets each that has waited so long; it waits no more
 */
export function createDeadlines<T>(
  clock: Clock,
  ms: number,
  onDue: (item: T) => void,
): Deadlines<T> {
  /** When each is due, in milliseconds, in that order: all wait equally long. */
  const waiting = new Map<T, number>()
  let isTimed = false

  function tell(): void {
    const now = clock.elapsed()
    // Also those that begin to wait meanwhile.
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
