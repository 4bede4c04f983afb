import { botTypes } from '#features/foundation/bots/queries.ts'
import { accessBot, requirePerson } from '#features/foundation/bots/rules.ts'
import { canAccessContent } from '#features/foundation/channels/access.ts'
import type { SentMessage } from '#features/foundation/core/occasions.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { listAttempts } from '#features/integrations/webhook-deliveries/queries.ts'
import { seconds } from '#platform/clock.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { insertDelivery, isUnderWay } from './queries.ts'

/**
 * Queues deliveries of a new message to outgoing webhook bots: those mentioned by name or with a
 * group, if they have access to the message, and those in a direct message conversation. Ignores messages from bots, so that
 * bots cannot trigger each other endlessly.
 *
 * @source Zulip API, "Outgoing webhooks"
 */
export function queueWebhookDeliveries(
  tx: Tx,
  { sender, message, recipient, mentioned }: SentMessage,
): void {
  const { channel, people } = recipient
  if (sender.botType !== null) return
  let any = false
  const called = channel ? mentioned : people.map(({ id }) => id)
  for (const userId of called) {
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

/**
 * Posts a message again to a bot's service, in the form that its settings have now.
 *
 * @throws BAD_REQUEST no such bot for this user, or the message is being delivered
 * @throws NOT_FOUND the server does not remember such a delivery to the service
 */
export function retryDelivery(tx: Tx, user: User, botId: number, attemptId: number): void {
  const { user: bot } = accessBot(tx, requirePerson(tx, user), botId)
  const attempt = listAttempts(tx, bot.id).find(({ id }) => id === attemptId)
  if (!attempt || attempt.messageId === null)
    throw new ApiError(
      'NOT_FOUND',
      sentSentence('No such delivery'),
      {},
      { parameter: 'delivery_id' },
    )
  const { messageId, what } = attempt
  if (isUnderWay(tx, bot.id, messageId))
    throw badRequest(sentSentence('The message is already being delivered'), {
      parameter: 'delivery_id',
    })
  const trigger = what === 'mention' ? 'mention' : 'direct_message'
  insertDelivery(tx, { botId: bot.id, messageId, trigger, dueAt: seconds(tx.clock) })
  wakeJobs(tx)
}
