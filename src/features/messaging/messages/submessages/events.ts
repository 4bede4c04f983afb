import type { WireEvent } from '#platform/events/types.ts'
import type { Submessage } from './queries.ts'

/** A submessage in its message. @source Zulip API, "Get messages", `submessages` */
export interface SubmessageJson {
  msg_type: 'widget'
  /** JSON text. */
  content: string
  message_id: number
  sender_id: number
  id: number
}

export function submessageJson(submessage: Submessage): SubmessageJson {
  return {
    msg_type: submessage.msgType,
    content: submessage.content,
    message_id: submessage.messageId,
    sender_id: submessage.senderId,
    id: submessage.id,
  }
}

/**
 * A user added a submessage, such as a vote in a poll.
 *
 * @source Zulip API, "Get events", type "submessage"
 */
export interface SubmessageEvent extends WireEvent {
  type: 'submessage'
  msg_type: 'widget'
  content: string
  message_id: number
  sender_id: number
  submessage_id: number
}

export function submessageEvent(submessage: Submessage): SubmessageEvent {
  const { id, ...rest } = submessageJson(submessage)
  return { type: 'submessage', ...rest, submessage_id: id }
}
