/** The source of all times, so that tests of expiry, heartbeats and limits need not sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds since some moment, whatever the clock is set to: for measuring. */
  elapsed(): number
  /** Calls `fn` once after `ms`; does not keep the process alive. Returns a cancel function. */
  after(ms: number, fn: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/**
 * A clock whose time never changes while its timers still run, for reproducible recordings.
 *
 * @param time milliseconds since the epoch
 */
export function fixedClock(time: number): Clock {
  return { ...systemClock, now: () => time }
}

/** A clock that advances only when told to. */
export interface ManualClock extends Clock {
  /** Advances by `ms`, calling the timers that fall due in order of time. */
  advance(ms: number): void
  /** Sets the time of day `ms` forward or, below zero, back; timers and `elapsed` do not notice. */
  jump(ms: number): void
}

/** @param start milliseconds since the epoch */
export function manualClock(start: number): ManualClock {
  let now = start
  /** How far the time of day is ahead. */
  let ahead = 0
  const waiting = new Set<{ at: number; fn: () => void }>()

  function nextDue(until: number) {
    let first: { at: number; fn: () => void } | undefined
    for (const timer of waiting) {
      if (timer.at <= until && (!first || timer.at < first.at)) first = timer
    }
    return first
  }

  return {
    now: () => now + ahead,
    elapsed: () => now,
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
    jump(ms) {
      ahead += ms
    },
  }
}

/** Whole seconds since the epoch: the unit of every timestamp in the API. */
export function seconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

/** The latest time a client may send: the end of the year 9999, in seconds since the epoch. */
export const lastMoment = 253_402_300_799
