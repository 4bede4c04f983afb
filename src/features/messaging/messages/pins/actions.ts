import { accessMessage, type Message, messageAudience } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { canPost } from '#features/messaging/messages/rules.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { pinAddEvent, pinRemoveEvent } from './events.ts'
import { deletePin, insertPin } from './queries.ts'
import { pinQuota } from './quotas.ts'

/**
 * Pins a message for everyone who may read it, and emits `pinned_message`/`add` to them. The pin
 * moves with the message.
 *
 * @throws BAD_REQUEST "Invalid message(s)", a pinned message, too many of them here, or a channel
 *   in which the caller may not post
 */
export function pinMessage(tx: Tx, caller: Caller, messageId: number): void {
  const message = accessPinnable(tx, caller, messageId)
  const pin = {
    messageId: message.id,
    recipientId: message.recipientId,
    userId: caller.user.id,
    pinnedAt: seconds(tx.clock),
  }
  requireRoom(tx, pinQuota, { recipientId: message.recipientId })
  if (!insertPin(tx, pin))
    throw badRequest(sentSentence('The message is pinned already.'), { parameter: 'message_id' })
  tx.emit(pinAddEvent(pin), messageAudience(tx, message))
}

/**
 * Removes a pin, whoever set it, and emits `pinned_message`/`remove`.
 *
 * @throws BAD_REQUEST "Invalid message(s)", no pin, or a channel in which the caller may not post
 */
export function unpinMessage(tx: Tx, caller: Caller, messageId: number): void {
  const message = accessPinnable(tx, caller, messageId)
  if (!deletePin(tx, message.id))
    throw badRequest(sentSentence('The message is not pinned.'), { parameter: 'message_id' })
  tx.emit(pinRemoveEvent(message.id), messageAudience(tx, message))
}

/** Users who may post in a conversation may also pin messages there. @throws BAD_REQUEST */
function accessPinnable(tx: Tx, caller: Caller, messageId: number): Message {
  const message = accessMessage(tx, caller, messageId)
  const { channel } = recipientOf(tx, message.recipientId)
  if (channel && !canPost(tx, caller.user, channel)) {
    throw badRequest(sentSentence('Only those who can post in this channel can pin messages.'))
  }
  return message
}
