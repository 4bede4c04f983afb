import type { ServerEvent, VariantEvent, WireEvent } from '#events/types.ts'

/** Messages are gone, or gone for this user. @source clients.md §1.1, `delete_message` */
export type DeleteMessageEvent = WireEvent & { type: 'delete_message' } & (
    | { message_ids: readonly number[] }
    | { message_id: number }
  ) &
  ({ message_type: 'stream'; stream_id: number; topic: string } | { message_type: 'private' })

/**
 * One event for clients that declared `bulk_message_deletion`, and for others one a message.
 *
 * @param ids ascending
 * @param place where they were; undefined for direct messages
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

/** Where deleted messages were in a channel. */
export interface DeletedFrom {
  readonly channelId: number
  readonly topic: string
}

/**
 * @param ids ascending
 * @param idsFor which of them a user could read, who could any; undefined: everybody all
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
