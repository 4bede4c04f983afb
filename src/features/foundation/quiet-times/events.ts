import { extendedEvent } from '#platform/events/extended.ts'
import type { VariantEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'
import { quietTimesJson } from './json.ts'
import type { quietTimesEventShapes } from './shapes.ts'
import type { QuietTimes } from './times.ts'

/** The user's quiet times changed. Parley's own, for clients with `extended_members`. */
export type QuietTimesEvent = EventOf<typeof quietTimesEventShapes, 'quiet_times'>

export function quietTimesEvent(times: QuietTimes): VariantEvent {
  const event: QuietTimesEvent = { type: 'quiet_times', quiet_times: quietTimesJson(times) }
  return extendedEvent(event, undefined)
}
