import { inHistory, visibleHistory } from '#features/foundation/channels/access.ts'
import { findChannel } from '#features/foundation/channels/queries.ts'
import { listMessages, type Message } from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { listOwnPlaces } from '#features/foundation/own-history/access.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { findUser, roles, type User } from '#features/foundation/users/queries.ts'
import { listDirectRecipients } from '#features/messaging/narrow/queries.ts'
import type { MissedLookup, MissedMessages } from '#platform/events/missed.ts'
import type { QueueView } from '#platform/events/types.ts'
import { memo } from '#platform/memo.ts'
import { each, intersect, span } from '#platform/ranges.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'
import { messageEventFor, narrowSubject } from './events.ts'
import { flagReader } from './flags/queries.ts'
import { hiddenSender } from './json.ts'
import { topicLinker } from './lookups.queries.ts'
import { listSubmessagesOf } from './submessages/queries.ts'

const mostMissed = 'ORDER BY 1 LIMIT @most'

/** In parts of recipients, `[recipient, from, until]`, by indexes only. */
const inParts = `
  SELECT m.id FROM json_each(@parts) p
  CROSS JOIN messages m INDEXED BY messages_recipient
    ON m.recipient_id = (p.value ->> 0) AND m.id >= (p.value ->> 1) AND m.id < (p.value ->> 2)`

const ofUser = preparedSql<{ id: number }>(`${inParts} ${mostMissed}`)

const ofUserOrPublic = preparedSql<{ id: number }>(`${inParts}
  UNION
  SELECT m.id FROM channels c
  JOIN recipients r ON r.channel_id = c.id
  JOIN messages m ON m.recipient_id = r.id AND m.id > @after AND m.id <= @until
  WHERE NOT c.is_private
  ${mostMissed}`)

const newestOfUser = preparedSql<{ id: number }>(`${inParts} ORDER BY 1 DESC LIMIT @most`)

/** The user's own messages that are newer than `after` and not newer than `until`. */
function missedParts(read: Read, userId: number, after: number, until: number): string {
  const missed = span(after + 1, until + 1)
  const parts: [recipientId: number, from: number, until: number][] = []
  for (const { channelId, ids } of listOwnPlaces(read, userId)) {
    const recipientId = findChannel(read, channelId)?.recipientId ?? 0
    for (const [from, to] of each(intersect(ids, missed))) parts.push([recipientId, from, to])
  }
  for (const recipientId of listDirectRecipients(read, userId)) {
    parts.push([recipientId, after + 1, until + 1])
  }
  return JSON.stringify(parts)
}

/** The most missed messages that one user is notified about at a time. */
const mostNotified = 1000

/**
 * As of `MissedLookup`: the events of messages that came while the client of a queue was away, with the
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
    .all({ parts: missedParts(read, userId, after, until), after, until, most })
    .map(({ id }) => id)
  const page = listMessages(read, ids)
  return {
    messages: eventsOf(read, user, queue, page),
    until: ids.length < most ? until : (ids.at(-1) ?? until),
    looked: ids.length,
  }
}

/** As of `MissedLookup`. */
export const listMissedIds = (
  read: Read,
  queue: QueueView,
  after: number,
  until: number,
): ReturnType<MissedLookup['listIds']> => {
  if (!wants(queue)) return []
  const parts = missedParts(read, queue.traits.userId, after, until)
  const ids = newestOfUser(read)
    .all({ parts, most: mostNotified })
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
