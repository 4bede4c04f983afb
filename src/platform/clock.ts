/** The source of all times, so that tests of expiry, heartbeats and limits need not sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds since some moment, whatever the clock is set to: for measuring. */
  elapsed(): number
  /** Calls `fn` once after `ms`; does not keep the process alive. Returns a cancel function. */
  after(ms: number, fn: () => void): () => void
  /**
   * Calls `fn` within seconds after the time of day was set, as when a machine wakes; does not keep
   * the process alive. Returns a cancel function.
   */
  whenSet(fn: () => void): () => void
}

/** How often to look whether the time of day was set, in milliseconds. */
const lookInterval = 5000
/** By how much it may differ from the time that has passed, in milliseconds. */
const drift = 1000

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
  whenSet(fn) {
    const offset = () => Date.now() - performance.now()
    let last = offset()
    const timer = setInterval(() => {
      const wasSet = Math.abs(offset() - last) > drift
      last = offset()
      if (wasSet) fn()
    }, lookInterval)
    timer.unref()
    return () => clearInterval(timer)
  },
}

/**
 * A clock whose time never changes while its timers still run.
 *
 * @param time milliseconds since the epoch
 */
export function fixedClock(time: number): Clock {
  return { ...systemClock, now: () => time }
}

/** A clock that can be moved forward. */
export interface AdvancingClock extends Clock {
  /** Advances by `ms`, calling the timers that fall due in order of time. */
  advance(ms: number): void
}

/** A clock that advances only when it is advanced. */
export interface ManualClock extends AdvancingClock {
  /** Sets the time of day `ms` forward or, below zero, back; timers and `elapsed` do not notice. */
  jump(ms: number): void
}

interface Timer {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Counts the timers of a schedule. */
  readonly number: number
  readonly fn: () => void
}

/** Timers in the order in which they fall due; those of the same moment in the order they were set. */
class Schedule {
  readonly #timers: Timer[] = []
  #count = 0

  add(at: number, fn: () => void): Timer {
    const timer = { at, fn, number: this.#count++ }
    this.#timers.splice(this.#placeOf(timer), 0, timer)
    return timer
  }

  delete(timer: Timer): void {
    const place = this.#placeOf(timer)
    if (this.#timers[place] === timer) this.#timers.splice(place, 1)
  }

  /** Removes and returns the timer that falls due first, if that is until then. */
  takeDue(until: number): Timer | undefined {
    const first = this.#timers[0]
    return first && first.at <= until ? this.#timers.shift() : undefined
  }

  /** Where a timer is, or where it belongs. */
  #placeOf({ at, number }: Timer): number {
    let low = 0
    let high = this.#timers.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#timers[middle]
      if (other && (other.at < at || (other.at === at && other.number < number))) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** A clock that may run by itself, and can be moved forward. */
export interface MovableClock extends AdvancingClock {
  /** Undoes all moves. Timers that have run do not run again. */
  rewind(): void
}

/**
 * A clock that shows the time of `base` until it is moved. Its timers run when their time has
 * passed or the clock is moved over it, so that a client of a stopped clock gets its heartbeats.
 *
 * @param base milliseconds since the epoch
 */
export function movableClock(base: () => number): MovableClock {
  let ahead = 0
  const schedule = new Schedule()
  const now = () => base() + ahead
  return {
    now,
    elapsed: () => systemClock.elapsed() + ahead,
    after(ms, fn) {
      const cancel = () => {
        stop()
        schedule.delete(timer)
      }
      const run = () => {
        cancel()
        fn()
      }
      const timer = schedule.add(now() + ms, run)
      const stop = systemClock.after(ms, run)
      return cancel
    },
    whenSet: systemClock.whenSet,
    advance(ms) {
      const until = now() + ms
      for (let timer = schedule.takeDue(until); timer; timer = schedule.takeDue(until)) {
        ahead += Math.max(0, timer.at - now())
        timer.fn()
      }
      ahead += Math.max(0, until - now())
    },
    rewind() {
      ahead = 0
    },
  }
}

/** @param start milliseconds since the epoch */
export function manualClock(start: number): ManualClock {
  let now = start
  /** How far the time of day is ahead. */
  let ahead = 0
  const schedule = new Schedule()
  const watching = new Set<() => void>()
  return {
    now: () => now + ahead,
    elapsed: () => now,
    after(ms, fn) {
      const timer = schedule.add(now + ms, fn)
      return () => schedule.delete(timer)
    },
    advance(ms) {
      const until = now + ms
      for (let timer = schedule.takeDue(until); timer; timer = schedule.takeDue(until)) {
        now = timer.at
        timer.fn()
      }
      now = until
    },
    whenSet(fn) {
      watching.add(fn)
      return () => void watching.delete(fn)
    },
    jump(ms) {
      ahead += ms
      for (const fn of [...watching]) fn()
    },
  }
}

/** Whole seconds since the epoch: the unit of every timestamp in the API. */
export function seconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

/** The latest time a client may send: the end of the year 9999, in seconds since the epoch. */
export const lastMoment = 253_402_300_799
