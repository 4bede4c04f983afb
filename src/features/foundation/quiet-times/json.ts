import type { Shaped } from '#platform/shape.ts'
import type { quietTimesShape } from './shapes.ts'
import type { QuietTimes } from './times.ts'

export type QuietTimesJson = Shaped<typeof quietTimesShape>

export function quietTimesJson({ pausedUntil, schedule }: QuietTimes): QuietTimesJson {
  return {
    paused_until: pausedUntil,
    schedule: schedule && {
      days: [...schedule.days],
      start_minute: schedule.start,
      end_minute: schedule.end,
      timezone: schedule.timezone,
    },
  }
}
