import { botTypes } from '#features/bots/queries.ts'
import { canAccessContent } from '#features/channels/access.ts'
import type { Place } from '#features/messages/place.queries.ts'
import type { Message } from '#features/messages/queries.ts'
import { findUser, type User } from '#features/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Tx } from '#platform/store/write.ts'
import { insertDelivery } from './queries.ts'

/**
 * Queues deliveries of a new message to outgoing webhook bots: those mentioned by name with access
 * to the message, and those in a direct message conversation. Ignores messages from bots, so that
 * bots cannot trigger each other endlessly.
 *
 * @param mentioned user IDs
 * @source Zulip API, "Outgoing webhooks"
 */
export function queueWebhookDeliveries(
  tx: Tx,
  sender: User,
  message: Message,
  { channel, people }: Place,
  mentioned: readonly number[],
): void {
  if (sender.botType !== null) return
  let any = false
  for (const userId of channel ? mentioned : people.map(({ id }) => id)) {
    const bot = findUser(tx, userId)
    if (bot?.botType !== botTypes.outgoingWebhook || !bot.isActive) continue
    if (channel && !canAccessContent(tx, bot, channel)) continue
    insertDelivery(tx, {
      botId: bot.id,
      messageId: message.id,
      trigger: channel ? 'mention' : 'direct_message',
      dueAt: seconds(tx.clock),
    })
    any = true
  }
  if (any) wakeJobs(tx)
}
