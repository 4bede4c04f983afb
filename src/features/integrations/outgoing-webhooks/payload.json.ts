import { type Bot, type BotService, interfaces } from '#features/foundation/bots/queries.ts'
import type { Message } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { messagesJson } from '#features/messaging/messages/json.ts'
import { seconds } from '#platform/clock.ts'
import type { OutsideRequest } from '#platform/outgoing/fetch.ts'
import type { Read } from '#platform/store/store.ts'
import type { Delivery } from './queries.ts'
import { signatureHeaders, signingSecret } from './signing.queries.ts'

/** The signed request to an outgoing webhook, in the format that its owner chose. */
export function webhookRequest(
  read: Read,
  bot: Bot & { readonly service: BotService },
  delivery: Delivery,
  message: Message,
  realmUrl: string,
): OutsideRequest {
  const isSlack = bot.service.interface === interfaces.slack
  const { type, body } = isSlack
    ? form(slackFields(read, bot, delivery, message, realmUrl))
    : json(zulipPayload(read, bot, delivery, message))
  const secret = signingSecret(read, bot)
  const signature = signatureHeaders(secret, body, seconds(read.clock), isSlack)
  return { method: 'POST', headers: { 'Content-Type': type, ...signature }, body }
}

const json = (payload: object) => ({ type: 'application/json', body: JSON.stringify(payload) })

const form = (fields: Record<string, string>) => ({
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(fields).toString(),
})

/** @source Zulip API, "Outgoing webhook payloads", "Zulip format" */
function zulipPayload(
  read: Read,
  { user, service }: Bot & { readonly service: BotService },
  { trigger }: Delivery,
  message: Message,
) {
  const form = { applyMarkdown: false, allowEmptyTopicName: false }
  const [described] = messagesJson(read, user, [message], form)
  const { flags: _, ...json } = described ?? { flags: [] }
  return {
    bot_email: user.apiEmail,
    bot_full_name: user.fullName,
    data: message.content,
    trigger,
    token: service.token,
    message: { ...json, rendered_content: message.renderedContent },
  }
}

/**
 * Slack's name for a direct message conversation is `directmessage`.
 *
 * @source Zulip API, "Outgoing webhook payloads", "Slack-compatible format"
 */
function slackFields(
  read: Read,
  { user, service }: Bot & { readonly service: BotService },
  { trigger }: Delivery,
  message: Message,
  realmUrl: string,
): Record<string, string> {
  const { channel } = recipientOf(read, message.recipientId)
  const sender = findUser(read, message.senderId)
  return {
    token: service.token,
    team_id: `T${requireRealm(read).id}`,
    team_domain: new URL(realmUrl).hostname,
    channel_id: channel ? `C${channel.id}` : `D${message.recipientId}`,
    channel_name: channel?.name ?? 'directmessage',
    thread_ts: String(message.sentAt),
    timestamp: String(message.sentAt),
    user_id: `U${message.senderId}`,
    user_name: sender?.fullName ?? '',
    text: message.content,
    trigger_word: trigger,
    service_id: String(user.id),
  }
}
