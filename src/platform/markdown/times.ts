import type { Context } from './context.ts'
import { escapeHtml } from './escape.ts'
import type { MarkdownConstruct } from './found.ts'

const maxLength = 100

/**
 * `<time:2026-03-07T15:00:00-08:00>`: a time that clients show in the reader's time zone. An
 * invalid time is shown as an error with the source text.
 *
 * @source Zulip API, "Message formatting"
 */
export function timeAt(
  source: string,
  at: number,
  context: Context,
): MarkdownConstruct | undefined {
  if (!source.startsWith('<time:', at)) return undefined
  const written = source.slice(at + 6, at + 6 + maxLength + 1)
  const close = written.search(/[>\n]/)
  if (close < 1 || written[close] !== '>') return undefined
  const text = written.slice(0, close)
  return {
    end: at + 6 + close + 1,
    render() {
      context.text.push(text)
      const moment = momentOf(text)
      const shown = escapeHtml(text)
      // Clients that ignore the error's class still show its text.
      if (!moment) return `<span class="timestamp-error">Invalid time format: ${shown}</span>`
      return `<time datetime="${moment.toISOString().replace('.000Z', 'Z')}">${shown}</time>`
    },
  }
}

const unixTime = /^-?\d{1,12}(?:\.\d+)?$/
const isoTime =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:T|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(.*))?$/i
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59)

/** Parses ISO 8601, seconds since the epoch, or an English date; UTC unless it has a time zone. */
function momentOf(text: string): Date | undefined {
  const trimmed = text.trim()
  if (unixTime.test(trimmed)) return valid(Math.floor(Number(trimmed)) * 1000)
  const [iso, year, month, day, hour, minute, second, zone] = isoTime.exec(trimmed) ?? []
  if (iso === undefined) return writtenMoment(trimmed)
  return momentFrom({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    offsetMinutes: offsetOf(zone ?? ''),
  })
}

interface Parts {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  offsetMinutes: number | undefined
}

function momentFrom(parts: Parts): Date | undefined {
  const { year, month, day, hour, minute, second, offsetMinutes } = parts
  if (offsetMinutes === undefined || hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return valid(date.getTime() + ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000)
}

function valid(time: number): Date | undefined {
  const firstMoment = new Date(0).setUTCFullYear(1, 0, 1)
  return time >= firstMoment && time <= lastMoment ? new Date(time) : undefined
}

const zones: Record<string, number> = {
  '': 0,
  z: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 60,
  bst: 60,
  cet: 60,
  cest: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  ist: 330,
  jst: 540,
  kst: 540,
  aest: 600,
  aedt: 660,
  nzst: 720,
  nzdt: 780,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
}

/** The offset of a time zone in minutes east of UTC: `Z`, `+02:00`, `-0330`, `UTC+2`, `PST`. */
function offsetOf(zone: string): number | undefined {
  const name = zone.trim().toLowerCase()
  if (Object.hasOwn(zones, name)) return zones[name]
  const [match, sign, hours, minutes] = /^(?:utc|gmt)?([+-])(\d{1,2}):?(\d{2})?$/.exec(name) ?? []
  if (match === undefined) return undefined
  const offset = Number(hours) * 60 + Number(minutes ?? 0)
  return offset > 24 * 60 ? undefined : sign === '-' ? -offset : offset
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const weekday = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,? +)?'
const dayNumber = '(\\d{1,2})(?:st|nd|rd|th)?'
const clock = '(?:,? *(?:at +)?(\\d{1,2})(?::(\\d{2})(?::(\\d{2}))?)? *([ap]\\.?m\\.?)?)?'
const zoneName = ' *([a-z]{0,5}(?:[+-]\\d{1,2}:?(?:\\d{2})?)?)'
const dayFirst = new RegExp(
  `^${weekday}${dayNumber}(?: of)? +${monthName},? +(\\d{4})(?!\\d)${clock}${zoneName}$`,
  'i',
)
const monthFirst = new RegExp(
  `^${weekday}${monthName} +${dayNumber},? +(\\d{4})(?!\\d)${clock}${zoneName}$`,
  'i',
)

/** Parses dates such as `31 Dec 2017` and `Jun 5th 2017, 10:30PM EST`. */
function writtenMoment(text: string): Date | undefined {
  const english = dayFirst.exec(text)
  const american = english ? undefined : monthFirst.exec(text)
  const match = english ?? american
  if (!match) return undefined
  const day = english ? match[1] : match[2]
  const name = (english ? match[2] : match[1]) ?? ''
  const [year, hour, minute, second, half, zone] = match.slice(3)
  const hours = hourOf(hour, half)
  if (hours === undefined || (hour !== undefined && minute === undefined && !half)) return undefined
  return momentFrom({
    year: Number(year),
    month: months.indexOf(name.slice(0, 3).toLowerCase()) + 1,
    day: Number(day),
    hour: hours,
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    offsetMinutes: offsetOf(zone ?? ''),
  })
}

function hourOf(hour: string | undefined, half: string | undefined): number | undefined {
  const number = Number(hour ?? 0)
  if (half === undefined) return number
  if (number < 1 || number > 12) return undefined
  return (number % 12) + (half[0]?.toLowerCase() === 'p' ? 12 : 0)
}
