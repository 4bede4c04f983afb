import type { Clock as ServerClock } from '#platform/clock.ts'

/** The source of times and timers, so that tests need not sleep. */
export type Clock = Pick<ServerClock, 'now' | 'after'>

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms)
    return () => clearTimeout(timer)
  },
}
