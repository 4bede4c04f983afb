import { formatTime } from '#client/ui/dates.ts'
import { serverDate } from '#client/ui/server-time.ts'
import { t } from '#client/ui/t.ts'

/** An offered future time. */
export interface Moment {
  readonly label: string
  readonly at: Date
}

/** Some days after a time, at an hour of the user's clock. */
function dayAt(now: Date, days: number, hour: number): Date {
  const moment = new Date(now)
  moment.setDate(moment.getDate() + days)
  moment.setHours(hour, 0, 0, 0)
  return moment
}

/** How many days it is to the next Monday. */
const untilMonday = (now: Date) => (8 - now.getDay()) % 7 || 7

const inMinutes = (now: Date, minutes: number) => new Date(now.getTime() + minutes * 60_000)

/** Until when people mostly want to be left alone. */
export function pauseMoments(now = serverDate()): readonly Moment[] {
  return [
    { label: t('For 30 minutes'), at: inMinutes(now, 30) },
    { label: t('For 1 hour'), at: inMinutes(now, 60) },
    { label: t('For 2 hours'), at: inMinutes(now, 120) },
    { label: t('Until tomorrow'), at: dayAt(now, 1, 9) },
  ]
}

/** When people mostly want a status to end. */
export function statusEnds(now = serverDate()): readonly Moment[] {
  const endOfDay = (days: number) => new Date(dayAt(now, days, 0).getTime() - 60_000)
  return [
    { label: t('30 minutes'), at: inMinutes(now, 30) },
    { label: t('1 hour'), at: inMinutes(now, 60) },
    { label: t('4 hours'), at: inMinutes(now, 240) },
    { label: t('Today'), at: endOfDay(1) },
    { label: t('This week'), at: endOfDay(untilMonday(now)) },
  ]
}

/** The times that people mostly mean by "later". */
export function nextMoments(now = serverDate()): readonly Moment[] {
  const at = (days: number, hour: number) => dayAt(now, days, hour)
  const moments: Moment[] = [
    { label: t('In one hour'), at: inMinutes(now, 60) },
    { label: t('This evening'), at: at(0, 18) },
    { label: t('Tomorrow morning'), at: at(1, 9) },
    { label: t('Tomorrow afternoon'), at: at(1, 14) },
    { label: t('Monday morning'), at: at(untilMonday(now), 9) },
  ]
  const soonest = now.getTime() + 300_000
  return moments.filter(
    (moment, index) =>
      moment.at.getTime() > soonest &&
      !moments.slice(0, index).some((other) => other.at.getTime() === moment.at.getTime()),
  )
}

export function shortMoment(at: Date): string {
  return formatTime(at.getTime() / 1000, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  })
}

/** The time of an hour from now: what is offered where one sets another. */
export const inAnHour = (): Date => inMinutes(serverDate(), 60)
