import { type Bot, type BotService, interfaces } from '#bots/queries.ts'
import { messagesJson } from '#messages/json.ts'
import { placeOf } from '#messages/place.ts'
import type { Message } from '#messages/queries.ts'
import type { OutsideRequest } from '#outgoing/fetch.ts'
import { requireRealm } from '#realm/queries.ts'
import type { Read } from '#store/write.ts'
import { findUser } from '#users/queries.ts'
import type { Delivery } from './queries.ts'

/** What an outgoing webhook is sent, in the format that its owner chose. */
export function webhookRequest(
  read: Read,
  bot: Bot & { readonly service: BotService },
  delivery: Delivery,
  message: Message,
  realmUrl: string,
): OutsideRequest {
  const isSlack = bot.service.interface === interfaces.slack
  return isSlack
    ? form(slackFields(read, bot, delivery, message, realmUrl))
    : json(zulipPayload(read, bot, delivery, message))
}

function json(payload: object): OutsideRequest {
  const headers = { 'Content-Type': 'application/json' }
  return { method: 'POST', headers, body: JSON.stringify(payload) }
}

function form(fields: Record<string, string>): OutsideRequest {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', headers, body: new URLSearchParams(fields).toString() }
}

/** @source the API description of `POST /zulip-outgoing-webhook` */
function zulipPayload(
  read: Read,
  { user, service }: Bot & { readonly service: BotService },
  { trigger }: Delivery,
  message: Message,
) {
  const form = { applyMarkdown: false, clientGravatar: false, allowEmptyTopicName: false }
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
 * @source the API documentation of outgoing webhooks, "Slack-compatible format"; a direct
 * conversation is called as Slack calls one
 */
function slackFields(
  read: Read,
  { user, service }: Bot & { readonly service: BotService },
  { trigger }: Delivery,
  message: Message,
  realmUrl: string,
): Record<string, string> {
  const { channel } = placeOf(read, message.recipientId)
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
