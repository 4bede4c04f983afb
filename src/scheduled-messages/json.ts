import type { Shaped } from '#shape.ts'
import type { Read } from '#store/write.ts'
import { shownTopic } from '#topics/names.ts'
import type { ScheduledMessage } from './queries.ts'
import type { scheduledMessageShape } from './shapes.ts'

/** A scheduled message on the wire. */
export type ScheduledMessageJson = Shaped<typeof scheduledMessageShape>

/** @param allowEmptyTopicName whether the client knows topics without a name */
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
