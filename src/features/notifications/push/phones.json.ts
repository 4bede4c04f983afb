import { requireRealm } from '#features/foundation/realm/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { isUrgent, type Trigger } from '#features/messaging/notifications/decision.ts'
import { basePayload } from '#features/notifications/phone-push/base.json.ts'
import type { PhonePush } from '#features/notifications/phone-push/notifying.actions.ts'
import type { SystemContext } from '#platform/context.ts'
import type { Notice } from './notice.rules.ts'

/**
 * A message in the form of apps below feature level 468. Their notifications are not encrypted on
 * the way, so an organization can keep texts out of them.
 */
export function phoneMessage(server: SystemContext, notice: Notice): PhonePush {
  const { message, sender, reader, trigger } = notice
  const { store, realmUrl } = server
  const isPlain = !notice.isHidden
  const name = isPlain ? sender.sender_full_name : requireRealm(store).name
  const hidesText = realmSetting(store, 'require_e2ee_push_notifications')
  const text = hidesText ? notice.language.t('New message') : notice.text
  const avatar = isPlain ? sender.avatar_url : '/static/client-icon/192.png'
  const facts = {
    ...basePayload(server, reader.id),
    sender_id: message.senderId,
    ...(isPlain && { sender_email: sender.sender_email }),
    ...whereOf(notice),
  }
  const fcm = {
    event: 'message',
    ...facts,
    zulip_message_id: message.id,
    time: message.sentAt,
    content: text,
    sender_full_name: name,
    sender_avatar_url: new URL(avatar, realmUrl).href,
  }
  const apns = {
    alert: { title: titleOf(notice, name), subtitle: subtitleOf(notice, name), body: text },
    sound: 'default',
    badge: 0,
    custom: { zulip: { ...facts, message_ids: [message.id], time: message.sentAt } },
  }
  return { fcm: asTexts(fcm), apns, priority: isUrgent(trigger) ? 'high' : 'normal' }
}

/** Removes messages from phones. @param messageIds ascending */
export function phoneRemoval(
  server: SystemContext,
  userId: number,
  messageIds: readonly number[],
): PhonePush {
  const facts = {
    ...basePayload(server, userId),
    event: 'remove',
    zulip_message_ids: messageIds.join(','),
  }
  const apns = { badge: 0, custom: { zulip: facts } }
  return { fcm: asTexts(facts), apns, priority: 'normal' }
}

/** The conversation, which apps need to find the message, even if names are hidden. */
function whereOf({ recipient, message, group, isHidden }: Notice): object {
  const mentioned = group && {
    mentioned_user_group_id: group.id,
    ...(!isHidden && { mentioned_user_group_name: group.name }),
  }
  if (recipient.channel) {
    const { id, name } = recipient.channel
    const stream = { stream_id: id, ...(!isHidden && { stream: name }), topic: message.topic }
    return { recipient_type: 'stream', ...stream, ...mentioned }
  }
  const ids = recipient.people.map(({ id }) => id).sort((a, b) => a - b)
  return { recipient_type: 'private', ...(ids.length > 2 && { pm_users: ids.join(',') }) }
}

function titleOf(
  { language, recipient, topic, isHidden, sender, message, reader }: Notice,
  name: string,
): string {
  if (isHidden) return name
  if (recipient.channel) return `#${recipient.channel.name} > ${topic}`
  const others = recipient.people.filter(({ id }) => id !== reader.id && id !== message.senderId)
  // Guests must not see the names of users whom they may not see; the sender's name replaces them.
  if (others.length === 0) return sender.sender_full_name
  return language.tn(others.length, '{name} and {count} other', '{name} and {count} others', {
    name: sender.sender_full_name,
  })
}

const everyone: readonly Trigger[] = [
  'topic_wildcard_mentioned_in_followed_topic',
  'stream_wildcard_mentioned_in_followed_topic',
  'topic_wildcard_mentioned',
  'stream_wildcard_mentioned',
]

function subtitleOf({ language, trigger, group, isHidden }: Notice, name: string): string {
  if (isHidden) return ''
  const { t } = language
  if (trigger === 'mentioned') {
    return group
      ? t('{name} mentioned {group}:', { name, group: `@${group.name}` })
      : t('{name} mentioned you:', { name })
  }
  return everyone.includes(trigger) ? t('{name} mentioned everyone:', { name }) : `${name}:`
}

/** Google's service only supports texts. */
function asTexts(members: object): Record<string, string> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)]))
}
