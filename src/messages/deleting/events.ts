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
  place: { readonly channelId: number; readonly topic: string } | undefined,
  emptyTopicName: string,
): ServerEvent[] {
  const form = (bulk: boolean, which: { message_ids: typeof ids } | { message_id: number }) =>
    ({
      type: 'delete_message',
      variant({ traits }) {
        if (traits.capabilities.has('bulk_message_deletion') !== bulk) return undefined
        return String(traits.capabilities.has('empty_topic_name'))
      },
      build(_key, { traits }): DeleteMessageEvent {
        if (!place) return { type: 'delete_message', ...which, message_type: 'private' }
        const named = place.topic !== '' || traits.capabilities.has('empty_topic_name')
        return {
          type: 'delete_message',
          ...which,
          message_type: 'stream',
          stream_id: place.channelId,
          topic: named ? place.topic : emptyTopicName,
        }
      },
    }) satisfies VariantEvent
  return [form(true, { message_ids: ids }), ...ids.map((message_id) => form(false, { message_id }))]
}
