import { serverNow } from './server-time.ts'
import { pageLocale, t, tn } from './t.ts'

/**
 * Times for people, in their zone and language. Formatters are kept: making one takes longer than
 * using it a hundred times. Seconds since the epoch everywhere.
 */

const formatters = new Map<string, Intl.DateTimeFormat>()
let noteRead = () => {}

/**
 * Tells of each text that may become another one with the day or with the zone of the machine, while
 * it is made. Without signals, as what runs before the program has none.
 */
export function onTimesRead(note: () => void): void {
  noteRead = note
}

/** Makes texts in the zone that the machine has now. */
export function forgetZone(): void {
  formatters.clear()
}

/** The day of a time, as `2026-11-22`. */
export function localDay(at: number): string {
  noteRead()
  return isoLocal(new Date(at * 1000)).slice(0, 10)
}

/** A time in other words than those below. */
export function formatTime(at: number, options?: Intl.DateTimeFormatOptions): string {
  const locale = pageLocale()
  const key = JSON.stringify([locale, options])
  noteRead()
  let formatter = formatters.get(key)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(locale, options)
    formatters.set(key, formatter)
  }
  return formatter.format(at * 1000)
}

export interface HourSetting {
  /** The user's setting `twenty_four_hour_time`. */
  readonly twenty_four_hour_time: boolean
}

/** Without the setting, as the language has it: 12 hours in English, 24 in German. */
const hours = ({ twenty_four_hour_time }: HourSetting): Intl.DateTimeFormatOptions =>
  twenty_four_hour_time
    ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
    : { hour: 'numeric', minute: '2-digit' }

/** "14:05" or "2:05 PM". */
export function timeText(at: number, clock: HourSetting): string {
  return formatTime(at, hours(clock))
}

/** "14:05" or "2:05", where a time above says which half of the day it is. */
export function bareTimeText(at: number, clock: HourSetting): string {
  const text = timeText(at, clock)
  return /\p{Nd}{1,2}\P{Nd}{1,5}\p{Nd}{2}/u.exec(text)?.[0] ?? text
}

/** "Today", "Yesterday", "Friday, November 20", with the year where it is another one. */
export function dayText(at: number, now = serverNow()): string {
  const days = daysSince(at, now)
  if (days === 0) return t('Today')
  if (days === 1) return t('Yesterday')
  const isThisYear = new Date(at * 1000).getFullYear() === new Date(now * 1000).getFullYear()
  return formatTime(at, {
    weekday: days > 0 && days < 300 ? 'long' : undefined,
    month: isThisYear ? 'long' : 'short',
    day: 'numeric',
    year: isThisYear ? undefined : 'numeric',
  })
}

/** "Fri, Nov 20, 2026, 14:05": a moment that stands by itself. */
export function momentText(at: number, clock: HourSetting): string {
  return formatTime(at, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    ...hours(clock),
  })
}

/** "Nov 20, 2026" */
export function dateText(at: number): string {
  return formatTime(at, { year: 'numeric', month: 'short', day: 'numeric' })
}

/** The same with seconds and the zone, for tooltips. */
export function exactText(at: number, clock: HourSetting): string {
  return formatTime(at, {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    ...hours(clock),
    second: '2-digit',
    timeZoneName: 'short',
  })
}

/** For lists: the time today, else the weekday, else the date. */
export function shortText(at: number, clock: HourSetting, now = serverNow()): string {
  const days = daysSince(at, now)
  if (days === 0) return timeText(at, clock)
  if (days === 1) return t('Yesterday')
  if (days > 0 && days < 7) return formatTime(at, { weekday: 'long' })
  const isThisYear = new Date(at * 1000).getFullYear() === new Date(now * 1000).getFullYear()
  return formatTime(at, {
    month: 'short',
    day: 'numeric',
    year: isThisYear ? undefined : 'numeric',
  })
}

/** "5 minutes ago". */
export function agoText(at: number, now = serverNow()): string {
  const minutes = Math.floor((now - at) / 60)
  if (minutes < 1) return t('just now')
  if (minutes < 60) return tn(minutes, '1 minute ago', '{count} minutes ago')
  const whole = Math.floor(minutes / 60)
  if (whole < 24) return tn(whole, '1 hour ago', '{count} hours ago')
  const days = Math.floor(whole / 24)
  return days < 60 ? tn(days, '1 day ago', '{count} days ago') : dayText(at, now)
}

/** The time in another zone; empty if the browser does not know it. */
export function timeInZone(at: number, zone: string, clock: HourSetting): string {
  try {
    return formatTime(at, { ...hours(clock), timeZone: zone, weekday: 'short' })
  } catch {
    return ''
  }
}

/** A time as `datetime-local` fields have it: local, to the minute or the second. */
export function isoLocal(at: Date, to: 'minutes' | 'seconds' = 'minutes'): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, to === 'minutes' ? 16 : 19)
}

/** How many days a time is ago, by the calendar. */
function daysSince(at: number, now: number): number {
  return (Date.parse(localDay(now)) - Date.parse(localDay(at))) / 86_400_000
}
