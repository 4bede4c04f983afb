import type { messageEventShapes, messageShape } from '#features/messaging/messages/shapes.ts'
import type { EventOf, Shaped } from '#platform/shape.ts'
import type { Submessage } from './queries.ts'

/** A submessage in its message. @source Zulip API, "Get messages", `submessages` */
type SubmessageJson = Shaped<typeof messageShape>['submessages'][number]

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
export type SubmessageEvent = EventOf<typeof messageEventShapes, 'submessage'>

export function submessageEvent(submessage: Submessage): SubmessageEvent {
  const { id, ...rest } = submessageJson(submessage)
  return { type: 'submessage', ...rest, submessage_id: id }
}
