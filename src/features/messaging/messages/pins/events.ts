import { extendedEvent } from '#platform/events/extended.ts'
import type { VariantEvent, WireEvent } from '#platform/events/types.ts'
import { type PinJson, pinJson } from './json.ts'
import type { Pin } from './queries.ts'

/** Someone pinned a message. Parley's own, for clients with `extended_members`. */
export interface PinAddEvent extends WireEvent {
  type: 'pinned_message'
  op: 'add'
  pinned_message: PinJson
}

/** Someone removed a pin. A message that is deleted loses its pin without this event. */
export interface PinRemoveEvent extends WireEvent {
  type: 'pinned_message'
  op: 'remove'
  message_id: number
}

export function pinAddEvent(pin: Pin): VariantEvent {
  const event: PinAddEvent = { type: 'pinned_message', op: 'add', pinned_message: pinJson(pin) }
  return extendedEvent(event, undefined)
}

export function pinRemoveEvent(messageId: number): VariantEvent {
  const event: PinRemoveEvent = { type: 'pinned_message', op: 'remove', message_id: messageId }
  return extendedEvent(event, undefined)
}
