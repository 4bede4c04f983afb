import type { WireEvent } from '#events/types.ts'
import type { Submessage } from './queries.ts'

/** What was added to a message, as part of it. @source contract, "Message" */
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

/** Somebody voted in a poll or the like. @source the API description's `submessage` event */
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
