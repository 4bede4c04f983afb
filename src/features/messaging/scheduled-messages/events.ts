import type { VariantEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'
import type { ScheduledMessageJson } from './json.ts'
import type { scheduledMessageEventShapes } from './shapes.ts'

/**
 * A user's scheduled messages changed; sent to that user.
 *
 * @source Zulip API, "Get events", type "scheduled_messages"
 */
export type ScheduledMessagesEvent = EventOf<
  typeof scheduledMessageEventShapes,
  'scheduled_messages'
>

/** @param json makes the wire object, with an empty topic as it is or under its display name */
export function scheduledMessageEvent(
  op: 'add' | 'update',
  json: (allowEmptyTopicName: boolean) => ScheduledMessageJson,
): VariantEvent {
  return {
    type: 'scheduled_messages',
    variant: ({ traits }) => String(traits.capabilities.has('empty_topic_name')),
    build(_key, { traits }): ScheduledMessagesEvent {
      const message = json(traits.capabilities.has('empty_topic_name'))
      return op === 'add'
        ? { type: 'scheduled_messages', op, scheduled_messages: [message] }
        : { type: 'scheduled_messages', op, scheduled_message: message }
    },
  }
}

export function scheduledMessageRemoveEvent(id: number): ScheduledMessagesEvent {
  return { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id }
}
