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

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
/** By names of `timeZoneNamed`, so there are as many as the runtime knows zones. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** @param time in seconds since the epoch @param zone a name of `timeZoneNamed` */
export function localTime(time: number, zone: string): LocalTime {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    })
    formats.set(zone, format)
  }
  const parts = new Map(format.formatToParts(time * 1000).map(({ type, value }) => [type, value]))
  return {
    day: days.indexOf(parts.get('weekday') ?? ''),
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  }
}
