import type { messageEventShapes } from '#features/messaging/messages/shapes.ts'
import type { ServerEvent, VariantEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'

/**
 * Messages were deleted, or the user lost access to them.
 *
 * @source Zulip API, "Get events", type "delete_message"
 */
export type DeleteMessageEvent = EventOf<typeof messageEventShapes, 'delete_message'>

/**
 * One event for clients with the capability `bulk_message_deletion`, and one event per message for
 * the others.
 *
 * @param ids ascending
 * @param place where the messages were; undefined for direct messages
 */
export function deleteMessageEvents(
  ids: readonly number[],
  place: DeletedFrom | undefined,
  emptyTopicName: string,
): ServerEvent[] {
  return [
    bulkDeleteEvent(ids, undefined, place, emptyTopicName),
    ...ids.map((id) => singleDeleteEvent(id, place, emptyTopicName)),
  ]
}

/** The channel and topic of deleted messages. */
export interface DeletedFrom {
  readonly channelId: number
  readonly topic: string
}

/**
 * @param ids ascending
 * @param idsFor the ids that a user could read; undefined if all users could read all of them
 */
export function bulkDeleteEvent(
  ids: readonly number[],
  idsFor: ((userId: number) => readonly number[]) | undefined,
  place: DeletedFrom | undefined,
  emptyTopicName: string,
): VariantEvent {
  return {
    type: 'delete_message',
    variant({ traits }) {
      if (!traits.capabilities.has('bulk_message_deletion')) return undefined
      const which = idsFor?.(traits.userId).join() ?? ''
      return `${traits.capabilities.has('empty_topic_name')} ${which}`
    },
    build: (_key, { traits }): DeleteMessageEvent => ({
      type: 'delete_message',
      message_ids: idsFor?.(traits.userId) ?? ids,
      ...placeOf(place, traits.capabilities.has('empty_topic_name'), emptyTopicName),
    }),
  }
}

export function singleDeleteEvent(
  id: number,
  place: DeletedFrom | undefined,
  emptyTopicName: string,
): VariantEvent {
  return {
    type: 'delete_message',
    variant({ traits }) {
      if (traits.capabilities.has('bulk_message_deletion')) return undefined
      return String(traits.capabilities.has('empty_topic_name'))
    },
    build: (_key, { traits }): DeleteMessageEvent => ({
      type: 'delete_message',
      message_id: id,
      ...placeOf(place, traits.capabilities.has('empty_topic_name'), emptyTopicName),
    }),
  }
}

function placeOf(place: DeletedFrom | undefined, named: boolean, emptyTopicName: string) {
  if (!place) return { message_type: 'private' } as const
  const topic = place.topic !== '' || named ? place.topic : emptyTopicName
  return { message_type: 'stream', stream_id: place.channelId, topic } as const
}
