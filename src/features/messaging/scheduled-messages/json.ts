import { shownTopic } from '#features/foundation/recipients/topics.rules.ts'
import type { Shaped } from '#platform/shape.ts'
import type { Read } from '#platform/store/store.ts'
import type { ScheduledMessage } from './queries.ts'
import type { scheduledMessageShape } from './shapes.ts'

/** A scheduled message on the wire. @source Zulip API, "Get scheduled messages" */
export type ScheduledMessageJson = Shaped<typeof scheduledMessageShape>

/** @param allowEmptyTopicName whether the client supports empty topics */
export function scheduledMessageJson(
  read: Read,
  message: ScheduledMessage,
  allowEmptyTopicName: boolean,
): ScheduledMessageJson {
  const { channelId } = message
  return {
    scheduled_message_id: message.id,
    ...(channelId === null
      ? { type: 'private', to: message.to }
      : {
          type: 'stream',
          to: channelId,
          topic: shownTopic(read, message.topic, allowEmptyTopicName),
        }),
    content: message.content,
    rendered_content: message.renderedContent,
    scheduled_delivery_timestamp: message.deliverAt,
    failed: message.failed,
  }
}
