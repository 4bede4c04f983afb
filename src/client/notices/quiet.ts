import type { QuietTimes } from '#client/api/wire.ts'
import type { Store } from '#client/state/store.ts'
import { serverNow } from '#client/ui/server-time.ts'

/** Whether the user wants no notifications now: of a pause or of quiet hours. */
export function isQuiet(store: Store, now = serverNow()): boolean {
  const { quiet_times: times } = store.realm.value
  if (!times) return false
  return isPaused(times, now) || areQuietHours(times, now)
}

/** @param now in seconds since the epoch */
export function isPaused({ paused_until: until }: QuietTimes, now: number): boolean {
  return until !== null && until > now
}

/** The rule of the server (`quiet-times/times.ts`), without the end of the hours. */
function areQuietHours({ schedule }: QuietTimes, now: number): boolean {
  if (!schedule) return false
  const { days, start_minute: start, end_minute: end, timezone } = schedule
  const { day, minute } = timeIn(timezone, now)
  const began = (daysAgo: number) => days.includes((day + 7 - daysAgo) % 7)
  if (end > start) return began(0) && minute >= start && minute < end
  return (began(0) && minute >= start) || (began(1) && minute < end)
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** The day of the week, 0 for Sunday, and the minute of the day in a time zone. */
function timeIn(timeZone: string, now: number): { readonly day: number; readonly minute: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
  const parts = format.formatToParts(now * 1000)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  return {
    day: weekdays.indexOf(part('weekday')),
    minute: Number(part('hour')) * 60 + Number(part('minute')),
  }
}
