import { findChannel } from '#channels/queries.ts'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { postNotice, silently } from '#messages/notices.ts'
import { type Place, placeOf } from '#messages/place.ts'
import { accessMessage, type Message } from '#messages/queries.ts'
import { absoluteUrl, quoteBlock } from '#messages/quoting.ts'
import { type ReportType, reportTypes } from '#realm/choices.ts'
import { limits } from '#realm/limits.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser, type User } from '#users/queries.ts'

export interface Report {
  readonly type: ReportType
  /** What the reporter says of it; empty for nothing. */
  readonly description: string
}

/**
 * Has Notification Bot tell the moderators of a message, with its text as it is now: they may be
 * unable to read it where it is.
 *
 * @throws BAD_REQUEST no such message for the caller, the organization takes no reports, they
 * cannot be delivered, or a report for another reason without a description
 * @source api-changes §2a, `POST /messages/{message_id}/report` (levels 382, 435, 511)
 */
export function reportMessage(tx: Tx, caller: Caller, messageId: number, report: Report): void {
  const channelId = realmSetting(tx, 'moderation_request_channel_id')
  if (channelId === -1) throw badRequest('This organization does not take reports of messages.')
  const message = accessMessage(tx, caller, messageId)
  if (report.type === 'other' && report.description === '') {
    throw badRequest('A report for another reason needs a description.')
  }
  const channel = findChannel(tx, channelId)
  // What is reported may be private: never where everybody would read it.
  if (!channel || channel.isArchived || !channel.isPrivate) {
    throw badRequest('The report could not be delivered.')
  }
  const sender = findUser(tx, message.senderId)
  const { realmUrl } = caller.server
  postNotice(tx, channel, channel.topicsPolicy === 'empty_topic_only' ? '' : topicOf(sender), {
    author: caller.user,
    content: contentOf(tx, caller.user, message, sender, report, realmUrl),
    realmUrl,
  })
}

/** All reports about one person are together. */
function topicOf(sender: User | undefined): string {
  const topic = [...`Reports: ${sender?.fullName ?? 'unknown'}`]
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
  const place = placeOf(read, message.recipientId)
  const link = `[a message](${absoluteUrl(message, place, realmUrl)})`
  const author = sender ? ` by ${silently(sender)}` : ''
  const reason = reportTypes.find(({ key }) => key === report.type)?.name ?? report.type
  const head = [
    `${silently(reporter)} reported ${link}${author} ${whereIs(read, message, place)}.`,
    `**Reason:** ${reason}`,
    ...(report.description === '' ? [] : [quoteBlock(report.description)]),
    '**The message:**',
  ].join('\n\n')
  return `${head}\n\n${quoteBlock(message.content, limits.messageLength - [...head].length - 100)}`
}

function whereIs(read: Read, message: Message, { channel, people }: Place): string {
  if (!channel) return `in the direct messages of ${people.map(silently).join(', ')}`
  const topic = message.topic || realmSetting(read, 'empty_topic_display_name')
  return `in #**${channel.name}>${topic}**`
}
