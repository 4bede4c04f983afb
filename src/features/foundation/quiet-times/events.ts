import { extendedEvent } from '#platform/events/extended.ts'
import type { VariantEvent, WireEvent } from '#platform/events/types.ts'
import { type QuietTimesJson, quietTimesJson } from './json.ts'
import type { QuietTimes } from './times.ts'

/** The user's quiet times changed. Parley's own, for clients with `extended_members`. */
export interface QuietTimesEvent extends WireEvent {
  type: 'quiet_times'
  quiet_times: QuietTimesJson
}

export function quietTimesEvent(times: QuietTimes): VariantEvent {
  const event: QuietTimesEvent = { type: 'quiet_times', quiet_times: quietTimesJson(times) }
  return extendedEvent(event, undefined)
}
