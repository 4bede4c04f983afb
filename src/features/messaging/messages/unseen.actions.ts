import { findChannelByRecipient } from '#features/foundation/channels/queries.ts'
import { findMessage, listMessages } from '#features/foundation/core/queries.ts'
import { isRead, readChecker } from '#features/foundation/read-state/queries.ts'
import { notifyOffline, notifyPart } from '#features/messaging/notifications/actions.ts'
import { canNotify } from '#features/messaging/notifications/availability.rules.ts'
import {
  deletePart,
  findFirstPart,
  mentionFlags,
} from '#features/messaging/notifications/queries.ts'
import type { Tx } from '#platform/store/store.ts'

/**
 * Notifies someone about the messages that waited for their clients, none of which asks for events
 * anymore.
 */
export function notifyUnseen(tx: Tx, userId: number, messageIds: readonly number[]): void {
  if (!canNotify(tx)) return
  const isRead = readChecker(tx, userId)
  for (const message of listMessages(tx, messageIds)) {
    const { id, recipientId } = message
    const channel = findChannelByRecipient(tx, recipientId)
    const hasRead = () => isRead(recipientId, id)
    notifyOffline(tx, { message, channel, bits: mentionFlags(tx, id), hasRead }, userId)
  }
}

/**
 * Notifies the next part of a large audience about a message, by the current state of the message
 * and the users.
 *
 * @returns whether there was one
 */
export function notifyNextPart(tx: Tx): boolean {
  const part = findFirstPart(tx)
  if (!part) return false
  deletePart(tx, part.id)
  const message = findMessage(tx, part.messageId)
  if (!message) return true
  const { id, recipientId } = message
  const channel = findChannelByRecipient(tx, recipientId)
  const hasRead = (userId: number) => isRead(tx, userId, recipientId, id)
  notifyPart(tx, { message, channel, bits: mentionFlags(tx, id), hasRead }, part)
  return true
}
