import type { Clock } from '#platform/clock.ts'

/** Looks at all queues when one may have waited too long for its client's next poll. */
export interface Sweeping {
  /**
   * A queue begins to wait for its client's next poll. Cheap, because it happens with each event.
   *
   * @param ms how long nothing is due for it
   */
  noteContact(ms: number): void
  stop(): void
}

/** The least time from one sweep to the next, in milliseconds: each looks at every queue. */
const leastInterval = 10_000

/**
 * Sweeps within ten seconds after it is due, and never while nobody has a queue.
 *
 * @param sweep returns the last moment at which nothing is due yet, in milliseconds of
 *   `Clock.elapsed`; infinite: until the next contact
 */
export function createSweeping(clock: Clock, sweep: () => number): Sweeping {
  /** When the next one is, in milliseconds of `Clock.elapsed`. */
  let next = Number.POSITIVE_INFINITY
  let last = clock.elapsed()
  let cancel = () => {}

  function sweepAfter(moment: number): void {
    const at = Math.max(moment + 1, last + leastInterval)
    if (at >= next) return
    cancel()
    next = at
    cancel = clock.after(at - clock.elapsed(), () => {
      next = Number.POSITIVE_INFINITY
      last = clock.elapsed()
      sweepAfter(sweep())
    })
  }

  return {
    noteContact: (ms) => sweepAfter(clock.elapsed() + ms),
    stop() {
      next = Number.NEGATIVE_INFINITY
      cancel()
    },
  }
}
