import { pageLocale, t } from '#client/ui/t.ts'

/** A time that is offered for later. */
export interface Moment {
  readonly label: string
  readonly at: Date
}

/** The times that people mostly mean by "later". */
export function nextMoments(now = new Date()): readonly Moment[] {
  const at = (days: number, hour: number) => {
    const moment = new Date(now)
    moment.setDate(moment.getDate() + days)
    moment.setHours(hour, 0, 0, 0)
    return moment
  }
  const untilMonday = (8 - now.getDay()) % 7 || 7
  const moments: Moment[] = [
    { label: t('In one hour'), at: new Date(now.getTime() + 3600_000) },
    { label: t('This evening'), at: at(0, 18) },
    { label: t('Tomorrow morning'), at: at(1, 9) },
    { label: t('Tomorrow afternoon'), at: at(1, 14) },
    { label: t('Monday morning'), at: at(untilMonday, 9) },
  ]
  const soonest = now.getTime() + 300_000
  return moments.filter(
    (moment, index) =>
      moment.at.getTime() > soonest &&
      !moments.slice(0, index).some((other) => other.at.getTime() === moment.at.getTime()),
  )
}

export function shortMoment(at: Date): string {
  return at.toLocaleString(pageLocale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  })
}

/** A time as `datetime-local` fields have it: local, to the minute. */
export function isoLocal(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
