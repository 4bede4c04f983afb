import { findChannelByRecipient } from '#features/channels/queries.ts'
import { notifyOffline } from '#features/notifications/actions.ts'
import { mentionFlags, openWays } from '#features/notifications/queries.ts'
import { readChecker } from '#features/read-state/queries.ts'
import type { Tx } from '#platform/store/write.ts'
import { listMessages } from './queries.ts'

/**
 * Notifies somebody of the messages that waited in their clients, now that none of those asks for
 * events any more.
 */
export function notifyUnseen(tx: Tx, userId: number, messageIds: readonly number[]): void {
  if (openWays(tx).size === 0) return
  const isRead = readChecker(tx, userId)
  for (const message of listMessages(tx, messageIds)) {
    const { id, recipientId } = message
    const channel = findChannelByRecipient(tx, recipientId)
    const hasRead = () => isRead(recipientId, id)
    notifyOffline(tx, { message, channel, bits: mentionFlags(tx, id), hasRead }, userId)
  }
}
