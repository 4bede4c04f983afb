import { findReadableMessage, type Message } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { isRead } from '#features/foundation/read-state/queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { mentionFlags } from '#features/messaging/notifications/queries.ts'
import {
  isNotifiable,
  relevanceOf,
  type Triggers,
  triggersOf,
} from '#features/messaging/notifications/rules.ts'
import type { Read } from '#platform/store/store.ts'

/**
 * The reasons that are still valid for notifying someone about a message, by transport: none are
 * once they have read it, can no longer read it, or have turned these notifications off.
 */
export function triggersNow(
  read: Read,
  reader: User,
  { id }: Pick<Message, 'id'>,
): Partial<Triggers> {
  const message = findReadableMessage(read, reader, id)
  if (!message || isRead(read, reader.id, message.recipientId, id)) return {}
  const { channel } = recipientOf(read, message.recipientId)
  const bits = mentionFlags(read, id)
  const news = { message, channel, bits, hasRead: () => false }
  if (!isNotifiable(read, reader.id, news)) return {}
  const concern = relevanceOf(read, news, [reader.id]).get(reader.id)
  return concern ? triggersOf(read, reader.id, concern) : {}
}
