import type { Message } from '#features/foundation/core/queries.ts'
import type { Recipient } from '#features/foundation/core/recipient.queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { messageEventShapes } from '#features/messaging/messages/shapes.ts'
import type { VariantEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'

export type TypingOp = 'start' | 'stop'

/**
 * A user started or stopped writing a direct message, or a message in a topic.
 *
 * @source Zulip API, "Get events", type "typing"
 */
export type TypingEvent = EventOf<typeof messageEventShapes, 'typing'>

export function directTypingEvent(
  op: TypingOp,
  sender: User,
  recipients: readonly User[],
): TypingEvent {
  return {
    type: 'typing',
    op,
    message_type: 'direct',
    sender: personJson(sender),
    recipients: recipients.map(personJson),
  }
}

/** Only for clients with the capability `stream_typing_notifications` (feature level 58). */
export function channelTypingEvent(
  op: TypingOp,
  sender: User,
  channelId: number,
  topic: string,
  emptyTopicName: string,
): VariantEvent {
  return {
    type: 'typing',
    variant({ traits }) {
      if (!traits.capabilities.has('stream_typing_notifications')) return undefined
      return String(traits.capabilities.has('empty_topic_name'))
    },
    build: (_key, { traits }): TypingEvent => ({
      type: 'typing',
      op,
      message_type: 'stream',
      sender: personJson(sender),
      stream_id: channelId,
      topic: topic === '' && !traits.capabilities.has('empty_topic_name') ? emptyTopicName : topic,
    }),
  }
}

/**
 * A user started or stopped editing a message.
 *
 * @source Zulip API, "Get events", type "typing_edit_message" (feature level 351)
 */
export type EditTypingEvent = EventOf<typeof messageEventShapes, 'typing_edit_message', TypingOp>

export function editTypingEvent(
  op: TypingOp,
  message: Message,
  { channel, people }: Recipient,
  emptyTopicName: string,
): VariantEvent {
  const recipient = (named: boolean): EditTypingEvent['recipient'] => {
    if (!channel) return { type: 'direct', user_ids: people.map(({ id }) => id) }
    const topic = message.topic === '' && !named ? emptyTopicName : message.topic
    return { type: 'channel', channel_id: channel.id, topic }
  }
  return {
    type: 'typing_edit_message',
    variant: ({ traits }) => String(traits.capabilities.has('empty_topic_name')),
    build: (_key, { traits }): EditTypingEvent => ({
      type: 'typing_edit_message',
      op,
      sender_id: message.senderId,
      message_id: message.id,
      recipient: recipient(traits.capabilities.has('empty_topic_name')),
    }),
  }
}

function personJson(user: User): TypingEvent['sender'] {
  return { user_id: user.id, email: user.apiEmail }
}
