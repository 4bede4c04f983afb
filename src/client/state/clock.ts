import { serverNow } from '#client/ui/server-time.ts'
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

/** Its times can be compared with those of the server. */
export const serverClock: Clock = { ...systemClock, now: () => serverNow() * 1000 }
