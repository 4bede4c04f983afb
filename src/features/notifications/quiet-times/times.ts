import { localTime } from '#platform/time-zones.ts'

export const minutesPerDay = 24 * 60

/** Hours of the week without notifications. */
export interface QuietSchedule {
  /** The days on which they begin, ascending; 0 is Sunday. */
  readonly days: readonly number[]
  /** In minutes since midnight. */
  readonly start: number
  /** In minutes since midnight: of the next day unless it is after `start`. */
  readonly end: number
  /** A name of `timeZoneNamed`. */
  readonly timezone: string
}

/** When a user wants no notifications. */
export interface QuietTimes {
  /** In seconds since the epoch; null: not paused. */
  readonly pausedUntil: number | null
  /** null: no quiet hours. */
  readonly schedule: QuietSchedule | null
}

/** Quiet hours that follow each other are one time; of those that never end, as much is looked at. */
const mostSpans = 8

/**
 * When the quiet time ends that a user has now, in seconds since the epoch. A pause that ends in quiet
 * hours, or the other way round, goes on until both are over.
 *
 * @param now in seconds since the epoch
 * @returns undefined: it is no quiet time
 */
export function quietUntil({ pausedUntil, schedule }: QuietTimes, now: number): number | undefined {
  let end = Math.max(pausedUntil ?? 0, now)
  for (let span = 0; schedule && span < mostSpans; span++) {
    const next = endOfHours(schedule, end)
    if (next === undefined) break
    end = next
  }
  return end > now ? end : undefined
}

/** When the quiet hours end that a time is in; undefined: it is in none. */
function endOfHours(
  { days, start, end, timezone }: QuietSchedule,
  time: number,
): number | undefined {
  const { day, minute } = localTime(time, timezone)
  const isOvernight = end <= start
  const beginsToday = days.includes(day)
  const beganYesterday = isOvernight && days.includes((day + 6) % 7)
  let minutes: number | undefined
  if (beginsToday && minute >= start && (isOvernight || minute < end)) {
    minutes = end - minute + (isOvernight ? minutesPerDay : 0)
  } else if (beganYesterday && minute < end) {
    minutes = end - minute
  }
  if (minutes === undefined) return undefined
  const rough = time - (time % 60) + minutes * 60
  // Where clocks are set meanwhile, the hours end as the clock shows.
  const off = end - localTime(rough, timezone).minute
  const shift = ((off + 1.5 * minutesPerDay) % minutesPerDay) - minutesPerDay / 2
  const exact = rough + shift * 60
  // An end in the hour that is left out has no time of its own.
  return localTime(exact, timezone).minute === end ? exact : rough
}
