import { messagesChanged } from '#features/foundation/core/occasions.ts'
import { accessMessage, messageAudience } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { followOnParticipation } from '#features/messaging/messages/policies.actions.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { submessageEvent } from './events.ts'
import { insertSubmessage, submessageExtent } from './queries.ts'
import { withTaskKey } from './task-keys.queries.ts'
import { isAuthorsStep, parseStep, parseWidget } from './widgets.ts'

/** The maximum number of submessages of a message; clients fetch all of them with it. */
export const submessageLimit = 10_000
/** The maximum total length of a message's submessages, in characters. */
export const submessageLength = 1_000_000

/**
 * Adds a step, such as a vote, an option or a task, to a message with a poll or a to-do list, and
 * emits `submessage` to all users who may read the message. If the message has no widget yet, its
 * sender may add one. Clients fail to load messages with invalid steps, so the content is checked.
 *
 * @param content JSON text; stored unchanged but for an old key of a task
 * @throws BAD_REQUEST the caller may not read the message, the content is invalid for its
 * widget, only the message's sender may add it, or the message has too many submessages
 * @source Zulip developer documentation, "Widgets"
 */
export function addSubmessage(tx: Tx, caller: Caller, messageId: number, content: string): void {
  const { user } = caller
  const message = accessMessage(tx, caller, messageId)
  const { channel } = recipientOf(tx, message.recipientId)
  const isAuthor = message.senderId === user.id
  const { count, length, content: first } = submessageExtent(tx, message.id)
  if (first === null) {
    if (!isAuthor)
      throw badRequest(sentSentence('This message has no widget'), { parameter: 'message_id' })
    if (!parseWidget(content))
      throw badRequest(sentSentence('Invalid widget'), { parameter: 'content' })
  } else {
    const widget = parseWidget(first)
    const step = widget && parseStep(widget.widget_type, content)
    if (!step)
      throw badRequest(sentSentence('Invalid content for this widget'), { parameter: 'content' })
    if (isAuthorsStep(step) && !isAuthor) {
      throw badRequest(sentSentence('Only the author of a widget can change its title'), {
        parameter: 'content',
      })
    }
  }
  if (count >= submessageLimit || length + content.length > submessageLength)
    throw badRequest(sentSentence('This message has reached the limit of its widget'))
  const added = insertSubmessage(tx, {
    messageId: message.id,
    senderId: user.id,
    msgType: 'widget',
    content: withTaskKey(tx, message.id, content),
  })
  tx.emit(submessageEvent(added), messageAudience(tx, message))
  tx.announce(messagesChanged, { ids: [message.id] })
  if (channel) followOnParticipation(tx, user, channel, message.topic)
}
