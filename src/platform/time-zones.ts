/**
 * The name that the runtime has for a time zone: old names such as `US/Eastern` and other spellings
 * become one. Undefined if there is no such zone.
 *
 * @param name an IANA identifier; offsets such as `+02:00` are none
 */
export function timeZoneNamed(name: string): string | undefined {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** The local time in a time zone. */
export interface LocalTime {
  /** 0 is Sunday. */
  readonly day: number
  /** Since midnight. */
  readonly minute: number
}

/** The parts of a time, in seconds since the epoch, in a zone that is named as by `timeZoneNamed`. */
type PartsIn = (time: number, zone: string) => ReadonlyMap<Intl.DateTimeFormatPartTypes, string>

function partsIn(locale: string, options: Intl.DateTimeFormatOptions): PartsIn {
  // Making a format takes long, and there are only as many as the runtime knows zones.
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (time, zone) => {
    let format = formats.get(zone)
    if (!format) {
      format = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
      formats.set(zone, format)
    }
    return new Map(format.formatToParts(time * 1000).map(({ type, value }) => [type, value]))
  }
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const timeParts = partsIn('en-US', {
  weekday: 'short',
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
})

/** @param time in seconds since the epoch @param zone a name of `timeZoneNamed` */
export function localTime(time: number, zone: string): LocalTime {
  const parts = timeParts(time, zone)
  return {
    day: days.indexOf(parts.get('weekday') ?? ''),
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  }
}

const dateParts = partsIn('en-US-u-ca-iso8601', {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
})

/** The local date as a number in the order of dates. */
function localDate(time: number, zone: string): number {
  const parts = dateParts(time, zone)
  const [year, month, day] = (['year', 'month', 'day'] as const).map((type) =>
    Number(parts.get(type)),
  )
  return Number(year) * 10_000 + Number(month) * 100 + Number(day)
}

/** No zone is as far from UTC, in seconds. */
const farthestOffset = 24 * 3600

/**
 * The moment that an ISO 8601 date or date with time stands for, in seconds since the epoch, with a
 * fraction: in UTC if it has no offset, at midnight if it has no time.
 *
 * @returns undefined: it is neither, or there is no such day or time
 */
export function isoMoment(text: string): number | undefined {
  const parts =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text)
  if (!parts) return undefined
  const [, day = '', time = '00:00', offset = 'Z'] = parts
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined
  const moment = Date.parse(`${day}T${time}${offset}`)
  return Number.isNaN(moment) ? undefined : moment / 1000
}

/**
 * The first moment of a day in a time zone, in seconds since the epoch: not always midnight, which
 * some days do not have.
 *
 * @param day `YYYY-MM-DD`, from the year 1000 on
 * @param zone a name of `timeZoneNamed`
 * @returns undefined: there is no such day
 */
export function startOfDay(day: string, zone: string): number | undefined {
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(day)) return undefined
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) return undefined
  const wanted = Number(day.replaceAll('-', ''))
  let low = date.getTime() / 1000 - farthestOffset
  let high = date.getTime() / 1000 + farthestOffset
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (localDate(middle, zone) >= wanted) high = middle
    else low = middle + 1
  }
  return low
}
