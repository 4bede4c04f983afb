import type { VariantEvent, WireEvent } from '#events/types.ts'
import type { User } from '#users/queries.ts'

export type TypingOp = 'start' | 'stop'

interface Person {
  user_id: number
  email: string
}

/** Somebody started or stopped writing a message, to people or in a topic. */
export type TypingEvent = WireEvent & { type: 'typing'; op: TypingOp; sender: Person } & (
    | { message_type: 'direct'; recipients: Person[] }
    | { message_type: 'stream'; stream_id: number; topic: string }
  )

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

/** Only for clients that declared `stream_typing_notifications` (level 58). */
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

function personJson(user: User): Person {
  return { user_id: user.id, email: user.apiEmail }
}
