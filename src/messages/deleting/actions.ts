import { releaseFiles } from '#attachments/claims.ts'
import { accessChannel, canAccessContent } from '#channels/access.ts'
import { setFirstMessage } from '#channels/actions.ts'
import { type Channel, findChannel } from '#channels/queries.ts'
import { seconds } from '#clock.ts'
import { badRequest } from '#errors.ts'
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
import { deleteMessageEvents } from './events.ts'
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

/**
 * Deletes messages of one topic or conversation, whoever wants it: with their flags, reactions,
 * read state, reminders and the files that nothing else links to.
 *
 * @param messages at least one, ascending
 */
function removeMessages(tx: Tx, messages: readonly Message[]): void {
  const [first] = messages
  if (!first) return
  const ids = messages.map(({ id }) => id)
  const { channel } = placeOf(tx, first.recipientId)
  const emptyTopicName = realmSetting(tx, 'empty_topic_display_name')
  const place = channel && { channelId: channel.id, topic: first.topic }
  const audience = messageAudience(tx, first)
  for (const event of deleteMessageEvents(ids, place, emptyTopicName)) tx.emit(event, audience)
  releaseFiles(tx, ids)
  dropRemindersOf(tx, ids)
  deleteMessageRows(tx, messages)
  forget(tx, first.recipientId, ids)
  if (channel) updateFirstMessage(tx, channel)
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
