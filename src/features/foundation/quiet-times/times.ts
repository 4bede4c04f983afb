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

/** The times when a user wants no notifications. */
export interface QuietTimes {
  /** In seconds since the epoch; null: not paused. */
  readonly pausedUntil: number | null
  /** null: no quiet hours. */
  readonly schedule: QuietSchedule | null
}

/** Consecutive quiet hours count as one time. If they never end, this many are considered. */
const mostSpans = 8

/**
 * The end of a user's current quiet time, in seconds since the epoch. If a pause ends in quiet
 * hours, or the other way round, the quiet time lasts until both are over.
 *
 * @param now in seconds since the epoch
 * @returns undefined: there is none
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

/** The end of the quiet hours that contain a time; undefined: there are none. */
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
  // If clocks change meanwhile, the hours end by the local clock.
  const off = end - localTime(rough, timezone).minute
  const shift = ((off + 1.5 * minutesPerDay) % minutesPerDay) - minutesPerDay / 2
  const exact = rough + shift * 60
  // An end in a skipped hour has no time of its own.
  return localTime(exact, timezone).minute === end ? exact : rough
}
