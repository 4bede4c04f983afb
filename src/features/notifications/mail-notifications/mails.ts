import type { Message } from '#features/foundation/core/queries.ts'
import type { Recipient } from '#features/foundation/core/recipient.queries.ts'
import { findGroup } from '#features/foundation/groups/queries.ts'
import { composed, type FooterLine, type Mail, type Part } from '#features/foundation/mail/frame.ts'
import {
  unsubscribeHeaders,
  unsubscribeUrl,
} from '#features/foundation/mail/unsubscribe.queries.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import type { Trigger } from '#features/messaging/notifications/decision.ts'
import { ownListId } from '#features/notifications/mail-gateway/addresses.ts'
import { directMessagesUrl, messageUrl } from '#platform/markdown/links.ts'
import type { Read } from '#platform/store/store.ts'
import { isResolved, unmarkedTopic } from '#shared/resolved-topics.ts'
import { type Text, type Translator, texts } from '#translations/translate.ts'
import { nameOf, shownMessages, type ToMailHtml } from './shown.mails.ts'

/** The messages of one conversation that someone missed. */
export interface MissedConversation {
  readonly recipient: Recipient
  /** Ascending; earlier messages for context are before the missed ones. */
  readonly messages: readonly Message[]
  readonly trigger: Trigger
  /** The group that mentions the reader. */
  readonly groupId: number | null
  /** The address by which the reader can answer in the conversation; undefined: there is none. */
  readonly replyTo: string | undefined
}

/** Longer subjects are cut, in characters. */
const longestSubject = 150

/** The mail about one conversation. Every mail of it has the same subject, so that they thread. */
export function missedMail(
  read: Read,
  reader: User,
  missed: MissedConversation,
  realmUrl: string,
  toHtml: ToMailHtml,
): Mail {
  const isShown = showsContent(read, reader)
  const language = userLanguage(read, reader)
  const { t } = language
  const { name } = requireRealm(read)
  const suffix =
    userSetting(read, reader.id, 'realm_name_in_email_notifications_policy') === 2
      ? ` [${name}]`
      : ''
  const subject = isShown ? subjectOf(read, reader, missed, language) : t('New messages')
  const unsubscribe = unsubscribeUrl(read, 'missed_messages', reader.id, realmUrl)
  const about: FooterLine[] = [
    {
      lead: t('Settings'),
      url: `${realmUrl}/#settings/notifications`,
      label: t('Notifications'),
    },
    { lead: t('No more emails about messages'), url: unsubscribe, label: t('Unsubscribe') },
  ]
  return composed({
    language,
    organization: name,
    address: reader.email,
    subject: oneLine(subject).slice(0, longestSubject) + oneLine(suffix),
    parts: isShown
      ? shownMessages(read, reader, missed.messages, realmUrl, toHtml)
      : hiddenParts(name, realmUrl, language),
    footer: isShown ? [whyAndWhere(read, missed, realmUrl, language), about] : [about],
    headers: {
      'List-Id': `<${ownListId(realmUrl)}>`,
      ...unsubscribeHeaders(unsubscribe),
      ...(missed.replyTo !== undefined && { 'Reply-To': missed.replyTo }),
      'X-Auto-Response-Suppress': 'All',
    },
  })
}

/** Whether mail shows a reader what was said, as they and the organization want. */
export function showsContent(read: Read, reader: User): boolean {
  return (
    userSetting(read, reader.id, 'message_content_in_email_notifications') &&
    realmSetting(read, 'message_content_allowed_in_email_notifications')
  )
}

function hiddenParts(organization: string, realmUrl: string, { t }: Translator): Part[] {
  return [
    t('You have new messages in {organization}.', { organization }),
    t('This email does not show them, because you or your organization turned that off.'),
    {
      lead: t('Read them:'),
      url: `${realmUrl}/`,
      button: t('Open {organization}', { organization }),
    },
  ]
}

function subjectOf(
  read: Read,
  reader: User,
  { recipient, messages }: MissedConversation,
  language: Translator,
): string {
  const { t } = language
  const { channel, people } = recipient
  if (!channel) {
    const names = people
      .filter(({ id }) => id !== reader.id)
      .map((each) => nameOf(read, reader, each.id))
    return names.length > 1
      ? t('Group DMs with {people}', { people: listed(names, language) })
      : t('DMs with {person}', { person: names.join() })
  }
  const topic = messages.at(-1)?.topic ?? ''
  const shown = unmarkedTopic(topic) || realmSetting(read, 'empty_topic_display_name')
  const where = `#${channel.name} > ${shown}`
  return isResolved(topic) ? t('[resolved] {topic}', { topic: where }) : where
}

/** `A and B`, `A, B, and C`, or `A, B, and 2 others`. */
function listed(names: readonly string[], { list, tn }: Translator): string {
  if (names.length <= 3) return list(names)
  const others = names.length - 2
  return list([...names.slice(0, 2), tn(others, '{count} other', '{count} others')])
}

/** The reason for the mail, and how to answer. */
function whyAndWhere(
  read: Read,
  missed: MissedConversation,
  realmUrl: string,
  language: Translator,
): FooterLine[] {
  const { t } = language
  const { recipient, messages, replyTo } = missed
  const newest = messages.at(-1)
  const path = recipient.channel
    ? messageUrl(recipient.channel, newest?.topic ?? '', newest?.id ?? 0)
    : directMessagesUrl(
        recipient.people.map(({ id }) => id),
        newest?.id,
      )
  return [
    reasonOf(read, missed, language),
    {
      lead: replyTo
        ? t('Reply to this email, or in the conversation')
        : t('Reply in the conversation, not to this email'),
      url: `${realmUrl}${path}`,
      label: t('Open the conversation'),
    },
  ]
}

const reasons: Readonly<Record<Trigger, Text>> = texts({
  direct_message: 'You get this email because you received direct messages.',
  mentioned: 'You get this email because you were mentioned.',
  topic_wildcard_mentioned_in_followed_topic:
    'You get this email because everyone in a topic you follow was mentioned.',
  stream_wildcard_mentioned_in_followed_topic:
    'You get this email because everyone was mentioned in a topic you follow.',
  topic_wildcard_mentioned: 'You get this email because everyone in the topic was mentioned.',
  stream_wildcard_mentioned: 'You get this email because everyone in the channel was mentioned.',
  followed_topic: 'You get this email because you follow the topic.',
  stream: 'You get this email because you turned on email notifications for the channel.',
})

function reasonOf(read: Read, { trigger, groupId }: MissedConversation, { t }: Translator): string {
  const group = groupId === null ? undefined : findGroup(read, groupId)
  if (trigger !== 'mentioned' || !group) return t(reasons[trigger])
  return t('You get this email because @{group} was mentioned.', { group: group.name })
}

/** Without characters that would end a header, or hide or reorder text. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
}
