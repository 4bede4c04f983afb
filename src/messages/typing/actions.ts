import { canAccessContent } from '#channels/access.ts'
import { countSubscribers, findChannel, isSubscribed } from '#channels/queries.ts'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { accessEditable } from '#messages/editing/actions.ts'
import { messageAudience } from '#messages/queries.ts'
import { realmSetting } from '#realm/settings.ts'
import { canAccessUser } from '#users/access.ts'
import { findUser, type User } from '#users/queries.ts'
import { userSetting } from '#users/settings.ts'
import { channelTypingEvent, directTypingEvent, editTypingEvent, type TypingOp } from './events.ts'

/**
 * Tells people that the caller is writing to them: an event and nothing stored, so no write.
 *
 * @throws BAD_REQUEST nobody named, an unknown or deactivated user, or one's own setting forbids it
 * @source the API description's "Set typing status"
 */
export function typeDirectly(caller: Caller, op: TypingOp, userIds: readonly number[]): void {
  const { store, user, server } = caller
  if (userIds.length === 0) throw badRequest("Empty 'to' list")
  requireDirectTyping(caller)
  const people = new Map<number, User>([[user.id, user]])
  for (const id of userIds) {
    const other = findUser(store, id)
    if (!other?.isActive || !canAccessUser(store, user, other)) {
      throw badRequest(`Invalid user ID ${id}`)
    }
    people.set(id, other)
  }
  const recipients = [...people.values()].sort((a, b) => a.id - b.id)
  const audience = recipients.filter(({ id }) => wantsTyping(caller, id)).map(({ id }) => id)
  server.queues.dispatch(directTypingEvent(op, user, recipients), audience)
}

/** How many subscribers a channel may have for typing to be told. */
const maxSubscribers = 100

/**
 * Tells the subscribers of a channel that the caller is writing in one of its topics.
 *
 * @throws BAD_REQUEST no such channel for the caller, or one's own setting forbids it
 */
export function typeInChannel(
  caller: Caller,
  op: TypingOp,
  channelId: number,
  topic: string,
): void {
  const { store, user, server } = caller
  requireChannelTyping(caller)
  const channel = findChannel(store, channelId)
  if (!channel || !canAccessContent(store, user, channel)) throw badRequest('Invalid channel ID')
  if (countSubscribers(store, channel.id) > maxSubscribers) return
  const emptyTopicName = realmSetting(store, 'empty_topic_display_name')
  const event = channelTypingEvent(op, user, channel.id, topic, emptyTopicName)
  server.queues.dispatch(
    event,
    [...server.queues.liveUsers()].filter(
      (id) => isSubscribed(store, id, channel.id) && wantsTyping(caller, id),
    ),
  )
}

/**
 * Tells those who can see a message that the caller is rewriting it.
 *
 * @throws BAD_REQUEST the caller cannot edit its content, or one's own setting forbids telling
 * @source api-changes §2a, `POST /messages/{message_id}/typing` (levels 351, 361)
 */
export function typeWhileEditing(caller: Caller, op: TypingOp, messageId: number): void {
  const { store, server } = caller
  const { message, place } = accessEditable(store, caller, messageId)
  const { channel, people } = place
  if (channel) requireChannelTyping(caller)
  else requireDirectTyping(caller)
  if (channel && countSubscribers(store, channel.id) > maxSubscribers) return
  const event = editTypingEvent(op, message, place, realmSetting(store, 'empty_topic_display_name'))
  const mayRead = messageAudience(store, message)
  const hears = (id: number) =>
    channel
      ? isSubscribed(store, id, channel.id) && typeof mayRead === 'function' && mayRead(id)
      : people.some((person) => person.id === id)
  server.queues.dispatch(
    event,
    [...server.queues.liveUsers()].filter((id) => hears(id) && wantsTyping(caller, id)),
  )
}

function requireDirectTyping({ store, user }: Caller): void {
  if (!userSetting(store, user.id, 'send_private_typing_notifications')) {
    throw badRequest('User has disabled typing notifications for direct messages')
  }
}

function requireChannelTyping({ store, user }: Caller): void {
  if (!userSetting(store, user.id, 'send_stream_typing_notifications')) {
    throw badRequest('User has disabled typing notifications for channel messages')
  }
}

function wantsTyping({ store }: Caller, userId: number): boolean {
  return userSetting(store, userId, 'receives_typing_notifications')
}
