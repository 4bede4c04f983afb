import { effect } from '@preact/signals-core'
import { type Clock, serverClock } from '#client/state/clock.ts'
import { type HourSetting, localDay, momentText } from '#client/ui/dates.ts'
import { readTimes, renewTimes } from '#client/ui/times.ts'

/** How often the machine is asked for its day and its zone, which tells of no change, in milliseconds. */
const rhythm = 30_000
/** When it may have slept, or been carried elsewhere. */
const returns = ['focus', 'pageshow', 'online'] as const

/**
 * Keeps what the page says of days and times true: at midnight, after a sleep, and where the zone of
 * the machine changes.
 *
 * @param hours reading it subscribes
 * @returns ends that
 */
export function followDays(hours: () => HourSetting): () => void {
  const watch = createDayWatch()
  for (const event of returns) addEventListener(event, watch.look)
  document.addEventListener('visibilitychange', watch.look)
  // Texts of messages are no components.
  const stopTimes = effect(() => {
    readTimes()
    const clock = hours()
    for (const time of document.querySelectorAll<HTMLTimeElement>('.rendered time[datetime]')) {
      const at = Date.parse(time.dateTime) / 1000
      time.textContent = momentText(at, clock)
    }
  })
  return () => {
    watch.stop()
    stopTimes()
    for (const event of returns) removeEventListener(event, watch.look)
    document.removeEventListener('visibilitychange', watch.look)
  }
}

interface DayWatch {
  /** Looks for another day or zone now. */
  readonly look: () => void
  readonly stop: () => void
}

/** Follows the day and the zone of the machine by its clock. */
export function createDayWatch(clock: Clock = serverClock): DayWatch {
  const state = () => `${localDay(clock.now() / 1000)} ${zoneNow()}`
  let last = state()
  let cancel = () => {}

  function look(): void {
    cancel()
    const now = state()
    if (now !== last) renewTimes()
    last = now
    const midnight = new Date(clock.now())
    midnight.setHours(24, 0, 0, 0)
    cancel = clock.after(Math.min(rhythm, midnight.getTime() - clock.now()), look)
  }

  look()
  return { look, stop: () => cancel() }
}

/** The name of the zone, and how far it is from UTC: its rules may change under the same name. */
function zoneNow(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return `${timeZone} ${new Date().getTimezoneOffset()}`
}
