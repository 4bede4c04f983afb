import { inHistory, visibleHistory } from '#features/channels/channels/access.ts'
import { listMessages, type Message } from '#features/messaging/core/queries.ts'
import { recipientOf } from '#features/messaging/core/recipient.queries.ts'
import { realmSetting } from '#features/organization/realm/settings.queries.ts'
import { findUser, roles, type User } from '#features/people/users/queries.ts'
import type { Missed, MissedMessages } from '#platform/events/missed.ts'
import type { QueueView } from '#platform/events/types.ts'
import { memo } from '#platform/memo.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/write.ts'
import { messageEventFor, narrowSubject } from './events.ts'
import { flagReader } from './flags/queries.ts'
import { hiddenSender } from './json.ts'
import { topicLinker } from './lookups.queries.ts'
import { listSubmessagesOf } from './submessages/queries.ts'

/** Where a user was subscribed when a message came, and their direct messages: indexes only. */
const received = `
  SELECT m.id FROM subscription_spans s
  JOIN recipients r ON r.channel_id = s.channel_id
  JOIN messages m ON m.recipient_id = r.id AND m.id > @after AND m.id <= @until
    AND m.id >= s.from_message AND (s.until_message IS NULL OR m.id < s.until_message)
  WHERE s.user_id = @userId AND (s.until_message IS NULL OR s.until_message > @after)
  UNION
  SELECT m.id FROM direct_members d
  JOIN messages m ON m.recipient_id = d.recipient_id AND m.id > @after AND m.id <= @until
  WHERE d.user_id = @userId`

const ofUser = preparedSql<{ id: number }>(`${received} ORDER BY 1 LIMIT @most`)

const ofUserOrPublic = preparedSql<{ id: number }>(`${received}
  UNION
  SELECT m.id FROM channels c
  JOIN recipients r ON r.channel_id = c.id
  JOIN messages m ON m.recipient_id = r.id AND m.id > @after AND m.id <= @until
  WHERE NOT c.is_private
  ORDER BY 1 LIMIT @most`)

const newestOfUser = preparedSql<{ id: number }>(`${received} ORDER BY 1 DESC LIMIT @most`)

/** The most missed messages that one user is notified about at a time. */
const mostNotified = 1000

/**
 * As of `Missed`: the events of messages that came while the client of a queue was away, with the
 * content and the flags that they have now. Later changes to them are also events in the queue,
 * which come after these and then change nothing; only reactions and votes are left to those
 * events.
 */
export function listMissed(
  read: Read,
  queue: QueueView,
  after: number,
  until: number,
  most: number,
): MissedMessages {
  const { userId } = queue.traits
  const user = findUser(read, userId)
  if (!user || !wants(queue)) return { messages: [], until, looked: 0 }
  const isEverywhere = queue.allPublicChannels && user.role !== roles.guest
  const query = isEverywhere ? ofUserOrPublic : ofUser
  const ids = query(read)
    .all({ userId, after, until, most })
    .map(({ id }) => id)
  const page = listMessages(read, ids)
  return {
    messages: eventsOf(read, user, queue, page),
    until: ids.length < most ? until : (ids.at(-1) ?? until),
    looked: ids.length,
  }
}

/** As of `Missed`. */
export const listMissedIds = (
  read: Read,
  queue: QueueView,
  after: number,
  until: number,
): ReturnType<Missed['listIds']> => {
  if (!wants(queue)) return []
  const range = { userId: queue.traits.userId, after, until, most: mostNotified }
  const ids = newestOfUser(read)
    .all(range)
    .map(({ id }) => id)
  return ids.reverse()
}

function wants({ eventTypes }: QueueView): boolean {
  return eventTypes === null || eventTypes.has('message')
}

function eventsOf(read: Read, user: User, queue: QueueView, page: readonly Message[]) {
  const flagsOf = flagReader(read, user, page)
  const recipientsOf = memo((recipientId) => recipientOf(read, recipientId))
  const senders = memo((id) => findUser(read, id))
  const instead = memo((id) => hiddenSender(read, user, senders(id)))
  const mayRead = readerOf(read, user, recipientsOf)
  const linksOf = topicLinker(read)
  const emptyTopicName = realmSetting(read, 'empty_topic_display_name')
  const submessages = listSubmessagesOf(read, page)
  return page.flatMap((message) => {
    const sender = senders(message.senderId)
    if (!sender || !mayRead(message)) return []
    const parts = {
      message,
      sender,
      senderInstead: instead(sender.id),
      recipient: recipientsOf(message.recipientId),
      topicLinks: linksOf(message.topic),
      reactions: [],
      // A widget is sent with its message; later submessages came as events.
      submessages: submessages.get(message.id)?.slice(0, 1) ?? [],
      emptyTopicName,
    }
    const flags = flagsOf(message).filter((flag) => flag !== 'historical')
    if (queue.narrow && !queue.narrow({ ...narrowSubject(parts), flags })) return []
    return [{ id: message.id, event: messageEventFor(queue, parts, flags) }]
  })
}

/** Whether a user may still read a message that they received. */
function readerOf(
  read: Read,
  user: User,
  recipientsOf: (recipientId: number) => ReturnType<typeof recipientOf>,
) {
  const histories = memo((recipientId) => {
    const { channel } = recipientsOf(recipientId)
    return channel ? visibleHistory(read, user, channel) : 'all'
  })
  return ({ recipientId, id }: Message) => inHistory(histories(recipientId), id)
}
