import { botTypes } from '#bots/queries.ts'
import { canAccessContent } from '#channels/access.ts'
import { seconds } from '#clock.ts'
import { wakeJobs } from '#jobs/wake.ts'
import type { Place } from '#messages/place.ts'
import type { Message } from '#messages/queries.ts'
import { prepared } from '#store/prepared.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser, type User } from '#users/queries.ts'
import { insertDelivery } from './queries.ts'

/**
 * Notes for which outgoing webhooks a new message is: those that it mentions by name where they can
 * read it, and those in a direct conversation. Nothing that a bot writes is, so that bots cannot
 * keep each other going.
 *
 * @param mentioned user ids
 * @source the API description of outgoing webhooks, "Triggering"
 */
export function tellWebhooks(
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
  if (!any) return
  wakeJobs(tx)
  tx.afterCommit(() => bell(tx).ring())
}

const bell = prepared(() => ({ ring: () => {} }))

/** Resolves when something new is to be delivered. */
export function somethingNew(read: Read): Promise<void> {
  return new Promise((resolve) => {
    bell(read).ring = resolve
  })
}
