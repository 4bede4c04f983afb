/** Where all times come from, so that expiry, heartbeats and limits can be tested without sleeping. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls `fn` once after `ms`; never keeps the process alive. Returns a function that cancels it. */
  after(ms: number, fn: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/**
 * Always the same time, while timers go on: for recordings that must come out the same each time.
 *
 * @param time milliseconds since the epoch
 */
export function fixedClock(time: number): Clock {
  return { ...systemClock, now: () => time }
}

/** A clock that stands still until it is told to move on. */
export interface ManualClock extends Clock {
  /** Moves on by `ms`, calling what falls due on the way in order of time. */
  advance(ms: number): void
}

/** @param start milliseconds since the epoch */
export function manualClock(start: number): ManualClock {
  let now = start
  const waiting = new Set<{ at: number; fn: () => void }>()

  function nextDue(until: number) {
    let first: { at: number; fn: () => void } | undefined
    for (const timer of waiting) {
      if (timer.at <= until && (!first || timer.at < first.at)) first = timer
    }
    return first
  }

  return {
    now: () => now,
    after(ms, fn) {
      const timer = { at: now + ms, fn }
      waiting.add(timer)
      return () => void waiting.delete(timer)
    },
    advance(ms) {
      const until = now + ms
      for (let timer = nextDue(until); timer; timer = nextDue(until)) {
        waiting.delete(timer)
        now = timer.at
        timer.fn()
      }
      now = until
    },
  }
}

/** Whole seconds since the epoch: the unit of every timestamp in the API. */
export function seconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

/** The latest moment that a client may name: the end of the year 9999, in seconds. */
export const lastMoment = 253_402_300_799
