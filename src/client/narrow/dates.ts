import { dateText, isoLocal, momentText } from '#client/ui/dates.ts'
import { serverDate } from '#client/ui/server-time.ts'

/*
 * The moments of searches by date, in seconds since the epoch. People type days, and times of them, by
 * their own clocks; links and the server have the moments, which mean the same to everyone.
 */

/**
 * A moment as typed: `2026-11-20` is the first moment of that day, `2026-11-20T09:30` a time of it. Many
 * digits are seconds. Undefined: it is none.
 */
export function readMoment(typed: string): number | undefined {
  if (/^\d{9,15}$/.test(typed)) return Number(typed)
  const [, day, date, time = 'T00:00'] =
    /^(\d{4}-\d\d-(\d\d))(T\d\d:\d\d(?::\d\d)?)?$/.exec(typed) ?? []
  if (day === undefined) return undefined
  const at = new Date(day + time)
  // Some browsers take February 30 for March 2.
  return at.getDate() === Number(date) && at.getTime() >= 0 ? at.getTime() / 1000 : undefined
}

/** A moment as one types it. */
export function momentTyped(time: number): string {
  const at = new Date(time * 1000)
  const exact = Number.isNaN(at.getTime()) ? '' : isoLocal(at, 'seconds')
  const forms = [exact.slice(0, 10), exact.slice(0, 16), exact]
  return forms.find((form) => readMoment(form) === time) ?? String(time)
}

/** A moment in words: only the day if it is the beginning of one. */
export function momentShown(time: number, clock: Parameters<typeof momentText>[1]): string {
  const typed = momentTyped(time)
  if (!typed.includes('-')) return typed
  return typed.includes('T') ? momentText(time, clock) : dateText(time)
}

/** The first moment of a day here, some days after that of a moment. */
export function dayAfter(time: number, days: number): number {
  const at = new Date(time * 1000)
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days).getTime() / 1000
}

/** The first moment of today here. */
export function startOfToday(): number {
  return dayAfter(serverDate().getTime() / 1000, 0)
}
