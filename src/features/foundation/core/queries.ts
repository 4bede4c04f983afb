import { eq, sql } from 'drizzle-orm'
import { canReadMessage, visibleHistory } from '#features/foundation/channels/access.ts'
import { type Channel, findChannelByRecipient } from '#features/foundation/channels/queries.ts'
import { directMemberIds, isDirectMember } from '#features/foundation/recipients/queries.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { findUser, type User, type Viewer } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Audience } from '#platform/events/types.ts'
import type { Caller } from '#platform/http/caller.ts'
import { each } from '#platform/ranges.ts'
import { prepared, preparedRows, preparedSql } from '#platform/store/prepared.ts'
import { messages } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { clientColumns } from './clients.queries.ts'
import { indexLater } from './indexing.queries.ts'
import { noteSentAt } from './order.queries.ts'
import { expand, type Message, storedHtml } from './rows.queries.ts'

export type { Message }

const byId = prepared((db) =>
  db
    .select()
    .from(messages)
    .where(eq(messages.id, sql.placeholder('id')))
    .prepare(),
)

export function findMessage(read: Read, id: number): Message | undefined {
  const row = byId(read).get({ id })
  return row && expand(read, row)
}

const rowsById = preparedRows(messages)

/** The messages with these ids, ascending; ignores ids that do not exist. */
export function listMessages(read: Read, ids: readonly number[]): Message[] {
  return rowsById(read, ids).map((row) => expand(read, row))
}

/**
 * A message that the caller may read.
 *
 * @throws BAD_REQUEST "Invalid message(s)": no such message, or the caller may not read it
 */
export function accessMessage(read: Read, caller: Pick<Caller, 'user'>, id: number): Message {
  const message = findReadableMessage(read, caller.user, id)
  if (!message) throw badRequest(sentSentence('Invalid message(s)'), { parameter: 'message_id' })
  return message
}

/** The same; undefined if there is no such message or the viewer may not read it. */
export function findReadableMessage(read: Read, user: Viewer, id: number): Message | undefined {
  const message = findMessage(read, id)
  return message && canRead(read, { user }, message) ? message : undefined
}

/** The recipient and topic of a message, without its content. */
export type MessagePlace = Pick<Message, 'id' | 'recipientId' | 'topic'>

const placesOf = preparedSql<MessagePlace>(`
  SELECT id, recipient_id AS recipientId, topic FROM messages
  WHERE id IN (SELECT value FROM json_each(@ids)) ORDER BY id
`)

/**
 * The recipients and topics of the messages with these ids, ascending; ignores ids that do not
 * exist.
 */
export function listPlaced(read: Read, ids: readonly number[]): MessagePlace[] {
  return placesOf(read).all({ ids: JSON.stringify(ids) })
}

/** The messages among these that the caller may read, ascending. */
export function listReadable(
  read: Read,
  caller: Pick<Caller, 'user'>,
  ids: readonly number[],
): MessagePlace[] {
  const { user } = caller
  return listPlaced(read, ids).filter((message) => canRead(read, { user }, message))
}

/** Whether a viewer may read a message: from their own history or a channel's shared history. */
function canRead(
  read: Read,
  { user }: { readonly user: Viewer },
  message: Pick<Message, 'id' | 'recipientId'>,
): boolean {
  const channel = findChannelByRecipient(read, message.recipientId)
  if (!channel) return user !== 'spectator' && isDirectMember(read, message.recipientId, user.id)
  return canReadMessage(read, user, channel, message.id)
}

export type NewMessage = Omit<Message, 'id' | 'clientId' | 'lastEditAt' | 'lastMovedAt'>

const insertOne = preparedSql<{ id: number }>(`
  INSERT INTO messages (recipient_id, sender_id, topic, topic_key, content, rendered_content,
    sent_at, client, client_id, has_link, has_image, has_attachment, is_me, channel_wildcard)
  VALUES (@recipientId, @senderId, @topic, @topicKey, @content, @renderedContent,
    @sentAt, @client, @clientId, @hasLink, @hasImage, @hasAttachment, @isMe, @channelWildcard)
`)

/**
 * Inserts a message and returns its row. It enters the full-text index with many others, or before
 * the next search (indexing.queries.ts).
 */
export function insertMessage(tx: Tx, message: NewMessage): Message {
  indexLater(tx, message)
  noteSentAt(tx, message.sentAt)
  const client = clientColumns(tx, message.client)
  const { lastInsertRowid } = insertOne(tx).run({
    ...message,
    ...client,
    renderedContent: storedHtml(message.content, message.renderedContent),
    hasLink: Number(message.hasLink),
    hasImage: Number(message.hasImage),
    hasAttachment: Number(message.hasAttachment),
    isMe: Number(message.isMe),
    channelWildcard: Number(message.channelWildcard),
  })
  return {
    ...message,
    id: Number(lastInsertRowid),
    clientId: client.clientId,
    lastEditAt: null,
    lastMovedAt: null,
  }
}

const anyInTopic = preparedSql<{ id: number }>(
  'SELECT id FROM messages WHERE recipient_id = @recipientId AND topic_key = @topicKey LIMIT 1',
)

/** Whether a topic exists, that is, has any message. */
export function topicExists(read: Read, recipientId: number, topicKey: string): boolean {
  return anyInTopic(read).get({ recipientId, topicKey }) !== undefined
}

/** Tells whether a channel has a topic. */
export function isTopicOf(read: Read, { recipientId }: Channel): (topic: string) => boolean {
  return (topic) => topicExists(read, recipientId, topicKey(topic))
}

const inTopicAndSpan = preparedSql<{ id: number }>(`
  SELECT id FROM messages
  WHERE recipient_id = @recipientId AND topic_key = @topicKey AND id >= @from
    AND id < @until
  LIMIT 1`)

/** @throws BAD_REQUEST "No such topic": the user can read no message of this topic */
export function requireKnownTopic(read: Read, user: User, channel: Channel, topic: string): void {
  const place = { recipientId: channel.recipientId, topicKey: topicKey(topic) }
  const history = visibleHistory(read, user, channel)
  const isKnown =
    history === 'all'
      ? topicExists(read, place.recipientId, place.topicKey)
      : [...each(history)].some(([from, until]) =>
          inTopicAndSpan(read).get({ ...place, from, until }),
        )
  if (!isKnown)
    throw badRequest(sentSentence("No such topic '{name}'", { name: topic }), {
      parameter: 'topic_name',
    })
}

const earlierInTopic = preparedSql<{ id: number }>(`
  SELECT id FROM messages
  WHERE recipient_id = @recipientId AND topic_key = @topicKey AND id < @id LIMIT 1
`)

/** Whether a message is the first of its topic. */
export function startsTopic(
  read: Read,
  { recipientId, topicKey, id }: Pick<Message, 'recipientId' | 'topicKey' | 'id'>,
): boolean {
  return earlierInTopic(read).get({ recipientId, topicKey, id }) === undefined
}

const participants = preparedSql<{ userId: number }>(`
  SELECT sender_id AS userId FROM messages
  WHERE recipient_id = @recipientId AND topic_key = @topicKey
  UNION
  SELECT r.user_id FROM messages m JOIN reactions r ON r.message_id = m.id
  WHERE m.recipient_id = @recipientId AND m.topic_key = @topicKey
`)

/** Ids of the users who sent a message or reacted in a topic; `@**topic**` mentions these. */
export function listTopicParticipants(read: Read, recipientId: number, topicKey: string): number[] {
  return participants(read)
    .all({ recipientId, topicKey })
    .map(({ userId }) => userId)
}

const newest = preparedSql<{ id: number | null }>('SELECT max(id) AS id FROM messages')

/** The id of the newest message of all; 0 when there is none. */
export function newestMessageId(read: Read): number {
  return newest(read).get({})?.id ?? 0
}

/** The audience of events about a message: all users who may read it. */
export function messageAudience(
  read: Read,
  message: Pick<Message, 'id' | 'recipientId'>,
): Audience {
  const channel = findChannelByRecipient(read, message.recipientId)
  if (!channel) return directMemberIds(read, message.recipientId)
  return (userId) => {
    const user = findUser(read, userId)
    return user !== undefined && canReadMessage(read, user, channel, message.id)
  }
}

const conversations = preparedSql<{ maxMessageId: number; directKey: string }>(`
  SELECT maxMessageId, directKey FROM (
    SELECT r.direct_key AS directKey,
      (SELECT max(m.id) FROM messages m WHERE m.recipient_id = r.id) AS maxMessageId
    FROM direct_members d JOIN recipients r ON r.id = d.recipient_id
    WHERE d.user_id = @userId
  )
  WHERE maxMessageId IS NOT NULL
  ORDER BY maxMessageId DESC
  LIMIT 1000
`)

/** A user's direct conversations with their participants' ids, newest first; at most 1000. */
export function listConversations(
  read: Read,
  userId: number,
): { maxMessageId: number; userIds: number[] }[] {
  return conversations(read)
    .all({ userId })
    .map(({ maxMessageId, directKey }) => ({
      maxMessageId,
      userIds: directKey.split(',').map(Number),
    }))
}
