import { requireRealm } from '#features/foundation/realm/queries.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { hiddenSender } from '#features/messaging/messages/json.ts'
import { isUrgent } from '#features/messaging/notifications/decision.ts'
import type { WebPayload } from '#features/notifications/web-push/payload.ts'
import type { PushOptions } from '#features/notifications/web-push/sending.actions.ts'
import { directMessagesUrl, messageUrl } from '#platform/markdown/links.ts'
import type { Read } from '#platform/store/store.ts'
import { shortened } from '#shared/message-text.ts'
import { badgeCount } from './badge.rules.ts'
import type { Notice } from './notice.rules.ts'

/** The most characters of a title. */
const longestTitle = 150

/** A message as the service worker of the web client shows it. */
export function webMessage(read: Read, notice: Notice): WebPayload {
  const { message, recipient, sender, reader, isHidden } = notice
  const ids = (recipient.people ?? []).map(({ id }) => id)
  return {
    type: 'message',
    title: shortened(isHidden ? requireRealm(read).name : titleOf(read, notice), longestTitle),
    body: notice.text,
    url: recipient.channel
      ? messageUrl(recipient.channel, message.topic, message.id)
      : directMessagesUrl(ids, message.id),
    tag: conversationOf(notice),
    icon: isHidden ? '/static/client-icon/192.png' : sender.avatar_url,
    message_id: message.id,
    count: badgeCount(read, reader.id),
  }
}

/** @param ttl how long it is worth delivering, in seconds */
export function webOptions(notice: Notice, ttl: number): PushOptions {
  const urgency = isUrgent(notice.trigger) ? 'high' : 'normal'
  return { ttl, urgency, replaces: `${notice.reader.id} ${conversationOf(notice)}` }
}

/** The key of the conversation, as in the web client, whose own notifications have it as tag. */
function conversationOf({ recipient, message, reader }: Notice): string {
  if (recipient.channel) return `${recipient.channel.id}:${topicKey(message.topic)}`
  const others = recipient.people.map(({ id }) => id).filter((id) => id !== reader.id)
  return `dm:${(others.length > 0 ? others : [reader.id]).sort((a, b) => a - b).join(',')}`
}

function titleOf(
  read: Read,
  { language, recipient, topic, sender, reader, message, group }: Notice,
): string {
  const name = sender.sender_full_name
  const to = group ? ` → @${group.name}` : ''
  if (recipient.channel) return `${name}${to} (#${recipient.channel.name} › ${topic})`
  const others = recipient.people
    .filter(({ id }) => id !== reader.id && id !== message.senderId)
    .map(
      (each) =>
        hiddenSender(read, reader, findUser(read, each.id))?.sender_full_name ?? each.fullName,
    )
  if (others.length === 0) return name
  return language.t('{name} (with {others})', { name, others: language.list(others, 'narrow') })
}
