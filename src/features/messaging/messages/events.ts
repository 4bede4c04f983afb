import type { SenderFacts } from '#features/foundation/users/json.ts'
import type { NarrowSubject, QueueView, VariantEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'
import type { LocalEcho } from './compose.rules.ts'
import { type Flag, flagNames } from './flags/queries.ts'
import { type MessageParts, messageJson } from './json.ts'
import type { messageEventShapes } from './shapes.ts'

/**
 * A new message, in the form that its queue requests.
 *
 * @source Zulip API, "Get events", type "message"
 */
export type MessageEvent = EventOf<typeof messageEventShapes, 'message'>

/** A new message as a user gets it. */
export function messageEventFor(
  queue: QueueView,
  parts: MessageParts,
  flags: readonly Flag[],
): MessageEvent {
  return { type: 'message', message: messageJson(parts, formOf(queue)), flags }
}

/** The parts of a new message that the narrow of a queue sees. */
export function narrowSubject({
  message,
  sender,
  recipient,
}: Pick<MessageParts, 'message' | 'sender' | 'recipient'>): Omit<NarrowSubject, 'flags'> {
  return {
    id: message.id,
    senderId: sender.id,
    recipientId: message.recipientId,
    channel: recipient.channel,
    people: recipient.people?.map(({ id }) => id) ?? [],
    topic: message.topic,
    content: message.content,
    renderedContent: message.renderedContent,
    sentAt: message.sentAt,
    hasLink: message.hasLink,
    hasImage: message.hasImage,
    hasAttachment: message.hasAttachment,
  }
}

/** A new message, with its recipients and their flags. */
export interface Delivery {
  readonly parts: MessageParts
  /** Whether a user with a live queue receives the message as part of their own history. */
  received(userId: number): boolean
  /** The sender in place of one whom the user may not see; undefined if they may see the sender. */
  senderInstead(userId: number): SenderFacts | undefined
  /** The stored flag bits by user id, of users who have any. */
  readonly bits: ReadonlyMap<number, number>
  /** Ids of the users for whom it starts as read. */
  readonly readBy: ReadonlySet<number>
  readonly echo: LocalEcho | undefined
}

/**
 * The `message` event. Queues that request the same form and whose users have the same flags share
 * one serialized text.
 */
export function messageEvent(delivery: Delivery): VariantEvent {
  const { parts, echo } = delivery
  const { message } = parts
  const flagsFor = (userId: number): Flag[] => [
    ...(delivery.readBy.has(userId) ? (['read'] as const) : []),
    ...flagNames(delivery.bits.get(userId) ?? 0, message.channelWildcard),
  ]
  const subject = narrowSubject(parts)
  return {
    type: 'message',
    newMessage: message.id,
    variant(queue) {
      const { userId } = queue.traits
      if (!delivery.received(userId) && !queue.allPublicChannels) return undefined
      const flags = flagsFor(userId)
      if (queue.narrow && !queue.narrow({ ...subject, flags })) return undefined
      const { applyMarkdown, allowEmptyTopicName } = formOf(queue)
      const isHidden = delivery.senderInstead(userId) !== undefined
      const local = echo?.queueId === queue.id ? echo.localId : ''
      // Only the last of these may hold anything.
      return `${applyMarkdown} ${allowEmptyTopicName} ${isHidden} ${flags} ${local}`
    },
    build(_key, queue): MessageEvent {
      const { userId } = queue.traits
      const shown = { ...parts, senderInstead: delivery.senderInstead(userId) }
      return {
        ...messageEventFor(queue, shown, flagsFor(userId)),
        ...(echo?.queueId === queue.id && { local_message_id: echo.localId }),
      }
    },
  }
}

function formOf({ traits }: QueueView) {
  return {
    applyMarkdown: traits.applyMarkdown,
    allowEmptyTopicName: traits.capabilities.has('empty_topic_name'),
  }
}
