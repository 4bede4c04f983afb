import type { VariantEvent, WireEvent } from '#platform/events/types.ts'
import type { ScheduledMessageJson } from './json.ts'

/**
 * A user's scheduled messages changed; sent to that user.
 *
 * @source Zulip API, "Get events", type "scheduled_messages"
 */
export type ScheduledMessagesEvent = WireEvent & { type: 'scheduled_messages' } & (
    | { op: 'add'; scheduled_messages: ScheduledMessageJson[] }
    | { op: 'update'; scheduled_message: ScheduledMessageJson }
    | { op: 'remove'; scheduled_message_id: number }
  )

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
