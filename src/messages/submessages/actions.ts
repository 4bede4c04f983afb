import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { placeOf } from '#messages/place.ts'
import { followOnParticipation } from '#messages/policies.ts'
import { accessMessage, messageAudience } from '#messages/queries.ts'
import type { Tx } from '#store/write.ts'
import { submessageEvent } from './events.ts'
import { insertSubmessage, submessageExtent } from './queries.ts'
import { isAuthorsStep, parseStep, parseWidget } from './widgets.ts'

/** How much can be added to one message: every client reads all of it with the message. */
export const submessageLimit = 10_000
/** The same in characters, of all that is added together. */
export const submessageLength = 1_000_000

/**
 * Adds a vote, an option, a task ... to a message that shows a poll or a to-do list, and emits
 * `submessage` to all who have the message. The message's sender may turn one that shows nothing
 * into a poll or a list.
 *
 * @param content JSON text; kept as it is
 * @throws BAD_REQUEST no such message for the caller, not something that the message takes, or
 * for its sender alone
 * @source clients.md §1.1 "Polls"; the API description's `submessage` event
 */
export function addSubmessage(tx: Tx, caller: Caller, messageId: number, content: string): void {
  const { user } = caller
  const message = accessMessage(tx, caller, messageId)
  const { channel } = placeOf(tx, message.recipientId)
  const isAuthor = message.senderId === user.id
  const { count, length, content: first } = submessageExtent(tx, message.id)
  if (first === null) {
    if (!isAuthor) throw badRequest('This message has no widget')
    if (!parseWidget(content)) throw badRequest('Invalid widget')
  } else {
    const widget = parseWidget(first)
    const step = widget && parseStep(widget.widget_type, content)
    if (!step) throw badRequest('Invalid content for this widget')
    if (isAuthorsStep(step) && !isAuthor) {
      throw badRequest('Only the author of a widget can change its title')
    }
  }
  if (count >= submessageLimit || length + content.length > submessageLength)
    throw badRequest('Nothing more can be added to this message')
  const added = insertSubmessage(tx, {
    messageId: message.id,
    senderId: user.id,
    msgType: 'widget',
    content,
  })
  tx.emit(submessageEvent(added), messageAudience(tx, message))
  if (channel) followOnParticipation(tx, user, channel, message.topic)
}
