import { canAccessContent } from '#features/channels/channels/access.ts'
import type { SentMessage } from '#features/messaging/core/occasions.ts'
import { botTypes } from '#features/people/bots/queries.ts'
import { findUser } from '#features/people/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Tx } from '#platform/store/write.ts'
import { insertDelivery } from './queries.ts'

/**
 * Queues deliveries of a new message to outgoing webhook bots: those mentioned by name with access
 * to the message, and those in a direct message conversation. Ignores messages from bots, so that
 * bots cannot trigger each other endlessly.
 *
 * @source Zulip API, "Outgoing webhooks"
 */
export function queueWebhookDeliveries(
  tx: Tx,
  { sender, message, place, mentioned }: SentMessage,
): void {
  const { channel, people } = place
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
