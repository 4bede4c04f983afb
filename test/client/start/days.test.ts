import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { effect } from '@preact/signals-core'
import { createDayWatch } from '#client/start/follow-days.ts'
import { dayText, forgetZone, localDay, momentText, shortText } from '#client/ui/dates.ts'
import { trackTimes } from '#client/ui/times.ts'
import { manualClock } from '#platform/clock.ts'

trackTimes()
const ownZone = process.env['TZ']
const own = Intl.DateTimeFormat().resolvedOptions().timeZone
/** Moves this machine to a zone. */
function moveTo(zone: string): void {
  process.env['TZ'] = zone
}
/** Starts this machine in a zone. */
function startIn(zone: string): void {
  moveTo(zone)
  forgetZone()
}
after(() => {
  startIn(own)
  if (ownZone === undefined) delete process.env['TZ']
})

const hours = { twenty_four_hour_time: true }
const second = 1000
const minute = 60 * second

/** What the page says of a message that is sent now, with how often it was drawn. */
function draw(clock: { now(): number }) {
  const at = clock.now() / 1000
  const seen: Record<'day' | 'short' | 'moment' | 'row', string> & { count: number } = {
    day: '',
    short: '',
    moment: '',
    row: '',
    count: 0,
  }
  const stop = effect(() => {
    const now = clock.now() / 1000
    seen.day = dayText(at, now)
    seen.short = shortText(at, hours, now)
    seen.moment = momentText(at, hours)
    seen.row = localDay(at)
    seen.count += 1
  })
  return { seen, stop }
}

/** Midnights, as the first moment of the day in a zone. In some zones a day begins at one. */
const midnights: readonly (readonly [zone: string, date: string, moment: string])[] = [
  ['UTC', '2026-11-30', '2026-11-30T00:00:00Z'],
  ['Europe/Berlin', '2026-11-30', '2026-11-29T23:00:00Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00Z'],
  ['America/New_York', '2026-11-02', '2026-11-02T05:00:00Z'],
  ['Asia/Kolkata', '2027-01-01', '2026-12-31T18:30:00Z'],
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z'],
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z'],
  ['Pacific/Kiritimati', '2028-03-01', '2028-02-29T10:00:00Z'],
  ['Pacific/Pago_Pago', '2026-07-01', '2026-07-01T11:00:00Z'],
]

describe('what is today', () => {
  for (const [zone, date, moment] of midnights) {
    for (const before of [second, minute, 7 * 60 * minute]) {
      test(`becomes yesterday at midnight before ${date} in ${zone}, ${before / second} s later`, () => {
        startIn(zone)
        const midnight = Date.parse(moment)
        const clock = manualClock(midnight - before)
        const watch = createDayWatch(clock)
        const { seen, stop } = draw(clock)
        assert.equal(seen.day, 'Today')
        assert.notEqual(seen.short, 'Yesterday')
        const { count } = seen
        clock.advance(before - 1)
        assert.deepEqual([seen.day, seen.count], ['Today', count])
        clock.advance(1)
        assert.deepEqual([seen.day, seen.short], ['Yesterday', 'Yesterday'])
        assert.notEqual(seen.row, date)
        // Once, and not with every look.
        clock.advance(20 * 60 * minute)
        assert.equal(seen.count, count + 1)
        stop()
        watch.stop()
      })
    }
    for (const days of [1, 2, 30]) {
      test(`is right after a sleep of ${days} days before ${date} in ${zone}`, () => {
        startIn(zone)
        const clock = manualClock(Date.parse(moment) + 9 * 60 * minute)
        const watch = createDayWatch(clock)
        const { seen, stop } = draw(clock)
        assert.equal(seen.day, 'Today')
        // Timers stand still in a sleep.
        clock.jump(days * 24 * 60 * minute)
        assert.equal(seen.day, 'Today')
        watch.look()
        assert.equal((seen.day as string) === 'Yesterday', days === 1)
        assert.notEqual(seen.day, 'Today')
        clock.jump(24 * 60 * minute)
        clock.advance(30 * second)
        assert.notEqual(seen.day, 'Yesterday')
        stop()
        watch.stop()
      })
    }
  }

  test('is not drawn again once nobody watches', () => {
    startIn('UTC')
    const clock = manualClock(Date.parse('2026-11-29T23:59:00Z'))
    const watch = createDayWatch(clock)
    const { seen, stop } = draw(clock)
    const { count } = seen
    watch.stop()
    clock.advance(2 * 60 * minute)
    assert.deepEqual([seen.day, seen.count], ['Today', count])
    stop()
  })
})

describe('a machine that is carried to another zone', () => {
  const at = Date.parse('2026-11-29T12:00:00Z')
  const zones: readonly (readonly [zone: string, row: string, hour: string])[] = [
    ['UTC', '2026-11-29', '12:00'],
    ['Asia/Kolkata', '2026-11-29', '17:30'],
    ['Pacific/Kiritimati', '2026-11-30', '02:00'],
    ['Pacific/Pago_Pago', '2026-11-29', '01:00'],
    ['America/St_Johns', '2026-11-29', '08:30'],
  ]
  for (const [from, fromRow, fromHour] of zones) {
    for (const [to, toRow, toHour] of zones) {
      if (from === to) continue
      test(`says all times in that, from ${from} to ${to}`, () => {
        startIn(from)
        const clock = manualClock(at)
        const watch = createDayWatch(clock)
        watch.look()
        const { seen, stop } = draw(clock)
        assert.ok(seen.moment.endsWith(fromHour), seen.moment)
        assert.deepEqual([seen.row, seen.short], [fromRow, fromHour])
        moveTo(to)
        clock.advance(30 * second)
        assert.ok(seen.moment.endsWith(toHour), seen.moment)
        assert.deepEqual([seen.row, seen.short], [toRow, toHour])
        const { count } = seen
        for (let i = 0; i < 20; i++) watch.look()
        assert.equal(seen.count, count)
        stop()
        watch.stop()
      })
    }
  }
})
