import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type QuietSchedule, quietUntil } from '#features/foundation/quiet-times/times.ts'

const everyDay = [0, 1, 2, 3, 4, 5, 6]
const nights = schedule('22:00-08:00', everyDay)

/** @param hours as in "22:00-08:00" */
function schedule(hours: string, days: readonly number[], timezone = 'UTC'): QuietSchedule {
  const [start = 0, end = 0] = hours.split('-').map((time) => {
    const [hour = 0, minute = 0] = time.split(':').map(Number)
    return hour * 60 + minute
  })
  return { days, start, end, timezone }
}

const at = (time: string) => Date.parse(time) / 1000
const shown = (end: number | undefined) =>
  end === undefined ? 'loud' : new Date(end * 1000).toISOString().slice(0, 16)

// biome-ignore format: a table reads best in columns
const hours: [what: string, hours: QuietSchedule, now: string, until: string][] = [
  // 2 March 2026 was a Monday.
  ['before the night',             nights,                                '2026-03-02T21:59:59Z', 'loud'],
  ['as it begins',                 nights,                                '2026-03-02T22:00:00Z', '2026-03-03T08:00'],
  ['after midnight',               nights,                                '2026-03-03T03:30:30Z', '2026-03-03T08:00'],
  ['as it ends',                   nights,                                '2026-03-03T08:00:00Z', 'loud'],
  ['within a day',                 schedule('12:00-13:00', [1]),          '2026-03-02T12:59:59Z', '2026-03-02T13:00'],
  ['on another day',               schedule('12:00-13:00', [1]),          '2026-03-03T12:30:00Z', 'loud'],
  ['the night of a chosen day',    schedule('22:00-08:00', [1]),          '2026-03-03T07:00:00Z', '2026-03-03T08:00'],
  ['the night after another day',  schedule('22:00-08:00', [1]),          '2026-03-02T07:00:00Z', 'loud'],
  ['no day is chosen',             schedule('22:00-08:00', []),           '2026-03-02T23:00:00Z', 'loud'],
  ['a whole weekend',              schedule('00:00-00:00', [0, 6]),       '2026-03-07T10:00:00Z', '2026-03-09T00:00'],
  ['always, for a while',          schedule('09:00-09:00', everyDay),     '2026-03-02T10:00:00Z', '2026-03-10T09:00'],
  ['elsewhere',                    schedule('22:00-08:00', everyDay, 'Asia/Tokyo'), '2026-03-02T14:00:00Z', '2026-03-02T23:00'],
  ['clocks go forward',            schedule('22:00-08:00', everyDay, 'Europe/Berlin'), '2026-03-28T22:00:00Z', '2026-03-29T06:00'],
  ['clocks go back',               schedule('22:00-08:00', everyDay, 'Europe/Berlin'), '2026-10-24T21:00:00Z', '2026-10-25T07:00'],
  ['it ends in the hour that is left out', schedule('22:00-02:30', everyDay, 'Europe/Berlin'), '2026-03-28T22:00:00Z', '2026-03-29T01:30'],
]
for (const [what, schedule, now, until] of hours) {
  test(`quiet hours: ${what}`, () => {
    assert.equal(shown(quietUntil({ pausedUntil: null, schedule }, at(now))), until)
  })
}

test('a pause lasts until its end, and on into quiet hours', () => {
  const pausedUntil = at('2026-03-02T20:00:00Z')
  const now = at('2026-03-02T19:00:00Z')
  assert.equal(shown(quietUntil({ pausedUntil, schedule: null }, now)), '2026-03-02T20:00')
  assert.equal(quietUntil({ pausedUntil, schedule: null }, pausedUntil), undefined)
  const late = at('2026-03-02T23:00:00Z')
  assert.equal(shown(quietUntil({ pausedUntil: late, schedule: nights }, now)), '2026-03-03T08:00')
})
