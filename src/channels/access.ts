import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { canInChannel } from '#permissions/can.ts'
import type { Read } from '#store/write.ts'
import { listSpans, type Span } from '#subscriptions/queries.ts'
import { roles, type User } from '#users/queries.ts'
import { type Channel, findChannel, findChannelByName, isSubscribed } from './queries.ts'

/**
 * The channel with this id, if the caller may know that it exists.
 *
 * @throws BAD_REQUEST "Invalid channel ID": no such channel, or not for this caller
 */
export function accessChannel(read: Read, caller: Pick<Caller, 'user'>, id: number): Channel {
  const channel = findChannel(read, id)
  if (!channel || !canAccessMetadata(read, caller.user, channel)) {
    throw badRequest('Invalid channel ID')
  }
  return channel
}

/**
 * The channel of this name, if the caller may know that it exists.
 *
 * @throws BAD_REQUEST "Invalid channel name '...'": no such channel, or not for this caller
 */
export function accessChannelByName(
  read: Read,
  caller: Pick<Caller, 'user'>,
  name: string,
): Channel {
  const channel = findChannelByName(read, name)
  if (!channel || !canAccessMetadata(read, caller.user, channel)) {
    throw badRequest(`Invalid channel name '${name}'`)
  }
  return channel
}

/**
 * Whether a user may know that a channel exists, its settings and its subscribers.
 *
 * @source api-changes §3b "Access": administrators, the channel's own, and whom its groups let in
 */
export function canAccessMetadata(read: Read, user: User, channel: Channel): boolean {
  if (canAccessContent(read, user, channel)) return true
  if (user.role === roles.guest) return false
  return user.role <= roles.admin || isChannelAdmin(read, user, channel)
}

/**
 * Whether a user may read what is written in a channel, subscribed or not; how far back, says
 * `visibleHistory`.
 *
 * @source api-changes §3b "Access" (feature levels 349, 354, 357)
 */
export function canAccessContent(read: Read, user: User, channel: Channel): boolean {
  if (channel.isWebPublic) return true
  if (!channel.isPrivate && user.role !== roles.guest) return true
  if (isSubscribed(read, user.id, channel.id)) return true
  return (
    canInChannel(read, user, 'can_subscribe_group', channel) ||
    canInChannel(read, user, 'can_add_subscribers_group', channel)
  )
}

/** Whether the channel's own setting makes a user one of its administrators. */
export function isChannelAdmin(read: Read, user: User, channel: Channel): boolean {
  return canInChannel(read, user, 'can_administer_channel_group', channel)
}

/**
 * Which messages of a channel a user may read: all of a history that is shared with subscribers,
 * the time of the own subscriptions of one that is protected, nothing without content access.
 */
export function visibleHistory(read: Read, user: User, channel: Channel): 'all' | readonly Span[] {
  if (!canAccessContent(read, user, channel)) return []
  return channel.historyPublic ? 'all' : listSpans(read, user.id, channel.id)
}

/** Whether a user may read one message of a channel. */
export function mayReadMessage(
  read: Read,
  user: User,
  channel: Channel,
  messageId: number,
): boolean {
  return inHistory(visibleHistory(read, user, channel), messageId)
}

/** Whether a message is part of what `visibleHistory` says. */
export function inHistory(history: 'all' | readonly Span[], messageId: number): boolean {
  return (
    history === 'all' ||
    history.some(
      ({ fromMessage, untilMessage }) =>
        fromMessage <= messageId && (untilMessage === null || messageId < untilMessage),
    )
  )
}

/**
 * The channel with this id, if the caller may read what is written in it.
 *
 * @throws BAD_REQUEST "Invalid channel ID": no such channel, or not for this caller
 */
export function accessContent(read: Read, caller: Pick<Caller, 'user'>, id: number): Channel {
  const channel = findChannel(read, id)
  if (!channel || !canAccessContent(read, caller.user, channel)) {
    throw badRequest('Invalid channel ID')
  }
  return channel
}
