import { canAccessContent } from '#features/foundation/channels/access.ts'
import {
  countSubscribers,
  findChannel,
  isSubscribed,
} from '#features/foundation/channels/queries.ts'
import { messageAudience } from '#features/foundation/core/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { canAccessUser } from '#features/foundation/users/access.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { accessEditable } from '#features/messaging/messages/editing/actions.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { sentSentence } from '#translations/translate.ts'
import { channelTypingEvent, directTypingEvent, editTypingEvent, type TypingOp } from './events.ts'

/**
 * Emits `typing` to the users that the caller is writing to. Stores nothing, so needs no write.
 *
 * @throws BAD_REQUEST no recipients, an unknown user, only deactivated ones, or the caller's settings forbid
 * it
 * @source Zulip API, "Set "typing" status"
 */
export function typeDirectly(caller: Caller, op: TypingOp, userIds: readonly number[]): void {
  const { store, user, server } = caller
  if (userIds.length === 0) throw badRequest(sentSentence("Empty 'to' list"), { parameter: 'to' })
  requireDirectTyping(caller)
  const people = new Map<number, User>([[user.id, user]])
  for (const id of userIds) {
    const other = findUser(store, id)
    if (!other || !canAccessUser(store, user, other))
      throw badRequest(sentSentence('Invalid user ID {id}', { id: String(id) }), {
        parameter: 'to',
      })
    people.set(id, other)
  }
  const others = [...people.values()].filter(({ id }) => id !== user.id)
  const [gone] = others
  if (gone && others.every(({ isActive }) => !isActive)) {
    throw badRequest(sentSentence('Invalid user ID {id}', { id: String(gone.id) }), {
      parameter: 'to',
    })
  }
  const recipients = [...people.values()].sort((a, b) => a.id - b.id)
  const audience = recipients.filter(({ id }) => wantsTyping(caller, id)).map(({ id }) => id)
  server.queues.dispatch(directTypingEvent(op, user, recipients), audience)
}

/** Channels with more subscribers get no typing notifications. */
const maxSubscribers = 100

/**
 * Emits `typing` to the subscribers of a channel, about one of its topics.
 *
 * @throws BAD_REQUEST the caller cannot access the channel, or the caller's settings forbid it
 * @source Zulip API, "Set "typing" status"
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
  if (!channel || !canAccessContent(store, user, channel))
    throw badRequest(sentSentence('Invalid channel ID'), { parameter: 'stream_id' })
  if (countSubscribers(store, channel.id) > maxSubscribers) return
  const emptyTopicName = realmSetting(store, 'empty_topic_display_name')
  const event = channelTypingEvent(op, user, channel.id, topic, emptyTopicName)
  server.queues.dispatch(
    event,
    [...server.queues.liveUsers()].filter(
      (id) => isSubscribed(store, id, channel.id) && mayHear(caller, id),
    ),
  )
}

/**
 * Emits `typing_edit_message` to the recipients of a message that the caller is editing.
 *
 * @throws BAD_REQUEST the caller cannot edit its content, or the caller's settings forbid it
 * @source Zulip API, "Set "typing" status for message editing" (feature levels 351 and 361)
 */
export function typeWhileEditing(caller: Caller, op: TypingOp, messageId: number): void {
  const { store, server } = caller
  const { message, recipient } = accessEditable(store, caller, messageId)
  const { channel, people } = recipient
  if (channel) requireChannelTyping(caller)
  else requireDirectTyping(caller)
  if (channel && countSubscribers(store, channel.id) > maxSubscribers) return
  const event = editTypingEvent(
    op,
    message,
    recipient,
    realmSetting(store, 'empty_topic_display_name'),
  )
  const mayRead = messageAudience(store, message)
  const isRecipient = (id: number) =>
    channel
      ? isSubscribed(store, id, channel.id) && typeof mayRead === 'function' && mayRead(id)
      : people.some((person) => person.id === id)
  server.queues.dispatch(
    event,
    [...server.queues.liveUsers()].filter((id) => isRecipient(id) && mayHear(caller, id)),
  )
}

function requireDirectTyping({ store, user }: Caller): void {
  if (!userSetting(store, user.id, 'send_private_typing_notifications')) {
    throw badRequest(sentSentence('User has disabled typing notifications for direct messages'))
  }
}

function requireChannelTyping({ store, user }: Caller): void {
  if (!userSetting(store, user.id, 'send_stream_typing_notifications')) {
    throw badRequest(sentSentence('User has disabled typing notifications for channel messages'))
  }
}

/** Whether a user receives typing notifications and may see the user who types. */
function mayHear(caller: Caller, userId: number): boolean {
  const viewer = findUser(caller.store, userId)
  if (!viewer || !canAccessUser(caller.store, viewer, caller.user)) return false
  return wantsTyping(caller, userId)
}

function wantsTyping({ store }: Caller, userId: number): boolean {
  return userSetting(store, userId, 'receives_typing_notifications')
}
