import type { messageEventShapes } from '#features/messaging/messages/shapes.ts'
import { extendedEvent } from '#platform/events/extended.ts'
import type { VariantEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'
import { pinJson } from './json.ts'
import type { Pin } from './queries.ts'

/** Someone pinned a message. Parley's own, for clients with `extended_members`. */
export type PinAddEvent = EventOf<typeof messageEventShapes, 'pinned_message', 'add'>

/** Someone removed a pin. A message that is deleted loses its pin without this event. */
export type PinRemoveEvent = EventOf<typeof messageEventShapes, 'pinned_message', 'remove'>

export function pinAddEvent(pin: Pin): VariantEvent {
  const event: PinAddEvent = { type: 'pinned_message', op: 'add', pinned_message: pinJson(pin) }
  return extendedEvent(event, undefined)
}

export function pinRemoveEvent(messageId: number): VariantEvent {
  const event: PinRemoveEvent = { type: 'pinned_message', op: 'remove', message_id: messageId }
  return extendedEvent(event, undefined)
}
