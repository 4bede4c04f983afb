import { findChannel } from '#features/foundation/channels/queries.ts'
import { accessMessage, type Message } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { type ReportType, reportTypes } from '#features/foundation/realm/choices.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { organizationLanguage } from '#features/foundation/users/language.queries.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { postNotice } from '#features/messaging/messages/notices.actions.ts'
import { absoluteUrl, silentMention } from '#features/messaging/messages/quoting.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { quoteBlock } from '#platform/markdown/quotes.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { linkMarkdown } from '#shared/place-links.ts'
import { sentSentence } from '#translations/translate.ts'

export interface Report {
  readonly type: ReportType
  /** The reporter's comment; may be empty. */
  readonly description: string
}

/**
 * Reports a message in the moderation channel, as Notification Bot. The report quotes the current
 * text, since moderators may not have access to the message itself.
 *
 * @throws BAD_REQUEST the caller may not read the message, the organization has no private
 * moderation channel, or the type is `other` and the description is empty
 * @source Zulip API, "Report a message" (feature levels 382, 435 and 511)
 */
export function reportMessage(tx: Tx, caller: Caller, messageId: number, report: Report): void {
  const channelId = realmSetting(tx, 'moderation_request_channel_id')
  if (channelId === -1)
    throw badRequest(sentSentence('This organization does not accept reports of messages.'))
  const message = accessMessage(tx, caller, messageId)
  if (report.type === 'other' && report.description === '') {
    throw badRequest(sentSentence('A report with the reason "other" needs a description.'), {
      parameter: 'description',
    })
  }
  const channel = findChannel(tx, channelId)
  // The reported message may be private, so it must not be quoted in a public channel.
  if (!channel || channel.isArchived || !channel.isPrivate) {
    throw badRequest(sentSentence('The report could not be delivered.'))
  }
  const sender = findUser(tx, message.senderId)
  const { realmUrl } = caller.server
  postNotice(tx, channel, topicOf(tx, sender), {
    author: caller.user,
    content: contentOf(tx, caller.user, message, sender, report, realmUrl),
    realmUrl,
  })
}

/** One topic for all reports about a user. */
function topicOf(read: Read, sender: User | undefined): string {
  const { t } = organizationLanguage(read)
  const topic = [...t('Reports: {name}', { name: sender?.fullName ?? t('unknown') })]
  return topic.length > limits.topicLength
    ? `${topic.slice(0, limits.topicLength - 1).join('')}…`
    : topic.join('')
}

function contentOf(
  read: Read,
  reporter: User,
  message: Message,
  sender: User | undefined,
  report: Report,
  realmUrl: string,
): string {
  const recipient = recipientOf(read, message.recipientId)
  const { list, t } = organizationLanguage(read)
  const { channel, people } = recipient
  const values = {
    name: silentMention(reporter),
    author: sender ? silentMention(sender) : t('unknown'),
    url: absoluteUrl(message, recipient, realmUrl),
  }
  const reason = reportTypes.find(({ key }) => key === report.type)?.name ?? 'Something else'
  const head = [
    channel
      ? t('{name} reported [a message]({url}) by {author} in {place}.', {
          ...values,
          place: linkMarkdown(
            channel,
            message.topic,
            realmSetting(read, 'empty_topic_display_name'),
          ),
        })
      : t('{name} reported [a message]({url}) by {author} in the direct messages of {people}.', {
          ...values,
          people: list(people.map(silentMention)),
        }),
    t('**Reason:** {reason}', { reason: t(reason) }),
    ...(report.description === '' ? [] : [quoteBlock(report.description)]),
    t('**The message:**'),
  ].join('\n\n')
  return `${head}\n\n${quoteBlock(message.content, limits.messageLength - [...head].length - 100)}`
}
