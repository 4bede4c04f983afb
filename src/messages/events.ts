import type { QueueView, VariantEvent, WireEvent } from '#events/types.ts'
import type { NarrowSubject } from '#narrow/types.ts'
import type { LocalEcho } from './compose.ts'
import { flagNames } from './flags/queries.ts'
import { type MessageJson, type MessageParts, messageJson } from './json.ts'

/** A new message, in the form its queue asked for. @source contract, "Events" */
export interface MessageEvent extends WireEvent {
  type: 'message'
  message: MessageJson
  flags: string[]
  /** Only in the queue of the client that sent it with `queue_id` and `local_id`. */
  local_message_id?: string
}

/** Whom a new message reached, and what it means for each. */
export interface Delivery {
  readonly parts: MessageParts
  /** Whether a user with a live queue receives the message as part of their own history. */
  received(userId: number): boolean
  /** Stored flag bits of those who have any. */
  readonly bits: ReadonlyMap<number, number>
  /** Who has read it as it is sent: its sender if so asked, and who muted the sender. */
  readonly readBy: ReadonlySet<number>
  readonly echo: LocalEcho | undefined
}

/**
 * The `message` event. Queues whose clients want the same form and whose users have the same
 * flags share one serialised text.
 */
export function messageEvent(delivery: Delivery): VariantEvent {
  const { parts, echo } = delivery
  const { message, sender, place } = parts
  const flagsFor = (userId: number) => [
    ...(delivery.readBy.has(userId) ? ['read'] : []),
    ...flagNames(delivery.bits.get(userId) ?? 0, message.channelWildcard),
  ]
  const subject: Omit<NarrowSubject, 'flags'> = {
    id: message.id,
    senderId: sender.id,
    recipientId: message.recipientId,
    channel: place.channel,
    people: place.people?.map(({ id }) => id) ?? [],
    topic: message.topic,
    content: message.content,
    hasLink: message.hasLink,
    hasImage: message.hasImage,
    hasAttachment: message.hasAttachment,
  }
  return {
    type: 'message',
    variant(queue) {
      const { userId } = queue.traits
      if (!delivery.received(userId) && !queue.allPublicChannels) return undefined
      const flags = flagsFor(userId)
      if (!queue.narrow({ ...subject, flags })) return undefined
      const form = formOf(queue)
      const local = echo?.queueId === queue.id ? echo.localId : ''
      return JSON.stringify([...Object.values(form), local, ...flags])
    },
    build(_key, queue): MessageEvent {
      return {
        type: 'message',
        message: messageJson(parts, formOf(queue)),
        flags: flagsFor(queue.traits.userId),
        ...(echo?.queueId === queue.id && { local_message_id: echo.localId }),
      }
    },
  }
}

function formOf({ traits }: QueueView) {
  return {
    applyMarkdown: traits.applyMarkdown,
    clientGravatar: traits.clientGravatar,
    allowEmptyTopicName: traits.capabilities.has('empty_topic_name'),
  }
}
