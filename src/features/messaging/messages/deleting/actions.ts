import {
  accessChannel,
  canAccessContent,
  inHistory,
  visibleHistory,
} from '#features/foundation/channels/access.ts'
import { setFirstMessage } from '#features/foundation/channels/actions.ts'
import { type Channel, findChannel } from '#features/foundation/channels/queries.ts'
import { messagesErased } from '#features/foundation/core/occasions.ts'
import {
  accessMessage,
  listMessages,
  type Message,
  messageAudience,
  topicExists,
} from '#features/foundation/core/queries.ts'
import { recipientOf } from '#features/foundation/core/recipient.queries.ts'
import { can, canInChannel, requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { forget } from '#features/foundation/read-state/actions.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { normalizeTopic, topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { oldestMessageId } from '#features/messaging/messages/moving/queries.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import type { Audience } from '#platform/events/types.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { LongWrite } from '#platform/long-write.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import {
  bulkDeleteEvent,
  type DeletedFrom,
  deleteMessageEvents,
  singleDeleteEvent,
} from './events.ts'
import { deleteMessageRows, listNewestOfTopic } from './queries.ts'

/**
 * Deletes one message, and emits `delete_message` to all users who could read it.
 *
 * @throws BAD_REQUEST the caller may not read the message, or may not or may no longer delete it
 * @source Zulip API, "Delete a message" (feature levels 281, 291 and 407)
 */
export function deleteMessage(tx: Tx, caller: Caller, messageId: number): void {
  const message = accessMessage(tx, caller, messageId)
  requireDelete(tx, caller, message)
  removeMessages(tx, [message])
}

/** How many messages are deleted in one step. */
const batchSize = 500
/** How long a topic's messages are deleted before the client has to ask again, in milliseconds. */
const mostMs = 10_000

/**
 * Deletes a topic's messages, the newest first, until the time is up.
 *
 * @returns whether the topic has no messages left
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an administrator of the organization
 * @throws BAD_REQUEST the caller cannot access the channel
 * @source Zulip API, "Delete a topic"
 */
export function* deleteTopic(
  tx: Tx,
  caller: Caller,
  channelId: number,
  topicName: string,
): LongWrite<boolean> {
  const key = topicKey(normalizeTopic(tx, topicName))
  const until = tx.clock.elapsed() + mostMs
  for (let now = tx; ; now = yield) {
    requireAdministrator(caller.user)
    const channel = accessChannel(now, caller, channelId)
    if (!canAccessContent(now, caller.user, channel))
      throw badRequest(sentSentence('Invalid channel ID'), { parameter: 'stream_id' })
    const ids = listNewestOfTopic(now, channel.recipientId, key, batchSize)
    if (ids.length > 0) removeMessages(now, listMessages(now, ids))
    if (!topicExists(now, channel.recipientId, key)) return true
    if (now.clock.elapsed() >= until) return false
  }
}

/** The columns of a message that its deletion needs. */
type DeletedMessage = Pick<Message, 'id' | 'recipientId' | 'topic' | 'topicKey'>

/**
 * Deletes messages and everything that belongs to them; the caller checks permission.
 *
 * @param messages of one channel or conversation, ascending
 */
function removeMessages(tx: Tx, messages: readonly DeletedMessage[]): void {
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
 * The same, but leaves the read state unchanged: the caller closes its gaps later, for many
 * messages together. Emits `delete_message` for each topic to all users who could read it.
 *
 * @param messages of one channel or conversation, ascending
 */
export function eraseMessages(tx: Tx, messages: readonly DeletedMessage[]): void {
  const [first] = messages
  if (!first) return
  const { channel } = recipientOf(tx, first.recipientId)
  emitDeletion(tx, channel, messages)
  const ids = messages.map(({ id }) => id)
  tx.announce(messagesErased, { ids })
  deleteMessageRows(tx, ids)
  if (channel) updateFirstMessage(tx, channel)
}

function emitDeletion(
  tx: Tx,
  channel: Channel | undefined,
  messages: readonly DeletedMessage[],
): void {
  const emptyTopicName = realmSetting(tx, 'empty_topic_display_name')
  const topics = new Map<string, DeletedMessage[]>()
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
      emitToReaders(tx, channel, ids, place, emptyTopicName)
      continue
    }
    const audience = memoized(messageAudience(tx, first))
    for (const event of deleteMessageEvents(ids, place, emptyTopicName)) tx.emit(event, audience)
  }
}

/** Emits `delete_message` to each user only about the messages that they could read. */
function emitToReaders(
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

/** Caches an audience that is used for many events. */
function memoized(audience: Audience): Audience {
  if (typeof audience !== 'function') return audience
  const known = new Map<number, boolean>()
  return (userId) => {
    const found = known.get(userId) ?? audience(userId)
    known.set(userId, found)
    return found
  }
}

/** Updates a channel's oldest message after messages were deleted or moved. */
export function updateFirstMessage(tx: Tx, { id }: Channel): void {
  const channel = findChannel(tx, id)
  if (!channel) return
  const first = oldestMessageId(tx, channel.recipientId)
  if (first !== channel.firstMessageId) setFirstMessage(tx, channel, first)
}

function requireDelete(read: Read, { user }: Caller, message: Message): void {
  const { channel } = recipientOf(read, message.recipientId)
  if (channel?.isArchived)
    throw badRequest(sentSentence("You don't have permission to delete this message"))
  const holds = (
    setting: 'can_delete_any_message_group' | 'can_delete_own_message_group',
  ): boolean =>
    can(read, user, setting) ||
    (channel !== undefined && canInChannel(read, user, setting, channel))
  if (holds('can_delete_any_message_group')) return
  const sender = findUser(read, message.senderId)
  const isOwn = message.senderId === user.id || sender?.botOwnerId === user.id
  if (!isOwn || !holds('can_delete_own_message_group')) {
    throw badRequest(sentSentence("You don't have permission to delete this message"))
  }
  const limit = realmSetting(read, 'message_content_delete_limit_seconds')
  if (limit !== null && seconds(read.clock) > message.sentAt + limit) {
    throw badRequest(sentSentence('The time limit for deleting this message has passed'))
  }
}
