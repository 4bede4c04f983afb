import { releaseFiles } from '#attachments/claims.ts'
import { accessChannel, canAccessContent, inHistory, visibleHistory } from '#channels/access.ts'
import { setFirstMessage } from '#channels/actions.ts'
import { type Channel, findChannel } from '#channels/queries.ts'
import { seconds } from '#clock.ts'
import { badRequest } from '#errors.ts'
import type { Audience } from '#events/types.ts'
import type { Caller } from '#http/caller.ts'
import { oldestMessageId } from '#messages/moving/queries.ts'
import { placeOf } from '#messages/place.ts'
import {
  accessMessage,
  listMessages,
  type Message,
  messageAudience,
  topicExists,
} from '#messages/queries.ts'
import { can, canInChannel, requireAdministrator } from '#permissions/can.ts'
import { forget } from '#read-state/actions.ts'
import { realmSetting } from '#realm/settings.ts'
import { dropRemindersOf } from '#reminders/actions.ts'
import type { Read, Tx } from '#store/write.ts'
import { topicKey } from '#topics/names.ts'
import { findUser } from '#users/queries.ts'
import {
  bulkDeleteEvent,
  type DeletedFrom,
  deleteMessageEvents,
  singleDeleteEvent,
} from './events.ts'
import { deleteMessageRows, listNewestOfTopic } from './queries.ts'

/**
 * Deletes one message, and emits `delete_message` to all who could read it.
 *
 * @throws BAD_REQUEST not there for the caller, not allowed, or too late
 * @source api-changes §3a: `can_delete_any_message_group`, `can_delete_own_message_group`
 */
export function deleteMessage(tx: Tx, caller: Caller, messageId: number): void {
  const message = accessMessage(tx, caller, messageId)
  requireDelete(tx, caller, message)
  removeMessages(tx, [message])
}

/** How many messages of a topic one write deletes. */
const batchSize = 500

/**
 * Deletes the newest messages of a topic, as many as one write should.
 *
 * @returns whether the topic is gone
 * @throws UNAUTHORIZED_PRINCIPAL the caller does not administer the organization
 * @source contract, "Delete a topic"
 */
export function deleteTopicBatch(
  tx: Tx,
  caller: Caller,
  channelId: number,
  topic: string,
): boolean {
  requireAdministrator(caller.user)
  const channel = accessChannel(tx, caller, channelId)
  if (!canAccessContent(tx, caller.user, channel)) throw badRequest('Invalid channel ID')
  const key = topicKey(topic)
  const ids = listNewestOfTopic(tx, channel.recipientId, key, batchSize)
  if (ids.length > 0) removeMessages(tx, listMessages(tx, ids))
  return !topicExists(tx, channel.recipientId, key)
}

/** A message as far as deleting it goes. */
type Doomed = Pick<Message, 'id' | 'recipientId' | 'topic' | 'topicKey'>

/**
 * Deletes messages of one channel or conversation, whoever wants it, with everything that hangs on
 * them.
 *
 * @param messages at least one, ascending
 */
function removeMessages(tx: Tx, messages: readonly Doomed[]): void {
  const [first] = messages
  if (!first) return
  eraseMessages(tx, messages)
  forget(
    tx,
    first.recipientId,
    messages.map(({ id }) => id),
  )
}

/**
 * The same, but leaves what people have read as it is: for who closes the gaps in it afterwards,
 * for many messages at once. Emits `delete_message` for each topic to all who could read it.
 *
 * @param messages of one channel or conversation, ascending
 */
export function eraseMessages(tx: Tx, messages: readonly Doomed[]): void {
  const [first] = messages
  if (!first) return
  const { channel } = placeOf(tx, first.recipientId)
  tellOfDeletion(tx, channel, messages)
  const ids = messages.map(({ id }) => id)
  releaseFiles(tx, ids)
  dropRemindersOf(tx, ids)
  deleteMessageRows(tx, ids)
  if (channel) updateFirstMessage(tx, channel)
}

function tellOfDeletion(tx: Tx, channel: Channel | undefined, messages: readonly Doomed[]): void {
  const emptyTopicName = realmSetting(tx, 'empty_topic_display_name')
  const topics = new Map<string, Doomed[]>()
  for (const message of messages) {
    const topic = topics.get(message.topicKey)
    if (topic) topic.push(message)
    else topics.set(message.topicKey, [message])
  }
  for (const ofTopic of topics.values()) {
    const [first] = ofTopic
    if (!first) continue
    const ids = ofTopic.map(({ id }) => id)
    const place = channel && { channelId: channel.id, topic: first.topic }
    if (channel && !channel.historyPublic) {
      tellReaders(tx, channel, ids, place, emptyTopicName)
      continue
    }
    const audience = askedOnce(messageAudience(tx, first))
    for (const event of deleteMessageEvents(ids, place, emptyTopicName)) tx.emit(event, audience)
  }
}

/** Of a protected history, people hear only of those messages that they could read. */
function tellReaders(
  tx: Tx,
  channel: Channel,
  ids: readonly number[],
  place: DeletedFrom | undefined,
  emptyTopicName: string,
): void {
  const known = new Map<number, readonly number[]>()
  const idsFor = (userId: number) => {
    const user = findUser(tx, userId)
    const history = user ? visibleHistory(tx, user, channel) : []
    return ids.filter((id) => inHistory(history, id))
  }
  const readable = (userId: number) => {
    const found = known.get(userId) ?? idsFor(userId)
    known.set(userId, found)
    return found
  }
  tx.emit(
    bulkDeleteEvent(ids, readable, place, emptyTopicName),
    (userId) => readable(userId).length > 0,
  )
  for (const id of ids) {
    const event = singleDeleteEvent(id, place, emptyTopicName)
    tx.emit(event, (userId) => readable(userId).includes(id))
  }
}

/** One event a message goes to the same people. */
function askedOnce(audience: Audience): Audience {
  if (typeof audience !== 'function') return audience
  const known = new Map<number, boolean>()
  return (userId) => {
    const found = known.get(userId) ?? audience(userId)
    known.set(userId, found)
    return found
  }
}

/** Finds a channel's oldest message anew, after messages went. */
export function updateFirstMessage(tx: Tx, { id }: Channel): void {
  const channel = findChannel(tx, id)
  if (!channel) return
  const first = oldestMessageId(tx, channel.recipientId)
  if (first !== channel.firstMessageId) setFirstMessage(tx, channel, first)
}

function requireDelete(read: Read, { user }: Caller, message: Message): void {
  const { channel } = placeOf(read, message.recipientId)
  if (channel?.isArchived) throw badRequest("You don't have permission to delete this message")
  const holds = (
    setting: 'can_delete_any_message_group' | 'can_delete_own_message_group',
  ): boolean =>
    can(read, user, setting) ||
    (channel !== undefined && canInChannel(read, user, setting, channel))
  if (holds('can_delete_any_message_group')) return
  const sender = findUser(read, message.senderId)
  const isOwn = message.senderId === user.id || sender?.botOwnerId === user.id
  if (!isOwn || !holds('can_delete_own_message_group')) {
    throw badRequest("You don't have permission to delete this message")
  }
  const limit = realmSetting(read, 'message_content_delete_limit_seconds')
  if (limit !== null && seconds(read.clock) > message.sentAt + limit) {
    throw badRequest('The time limit for deleting this message has passed')
  }
}
