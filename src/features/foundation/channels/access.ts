import { isOwnMessage, ownMessages } from '#features/foundation/own-history/access.ts'
import { canInChannel } from '#features/foundation/permissions/rules.ts'
import { roles, type User, type Viewer } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { contains, type Ranges } from '#platform/ranges.ts'
import { type Openness, openness } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { type Channel, findChannel, findChannelByName, isSubscribed } from './queries.ts'

/**
 * The channel with this id, if the caller can see it.
 *
 * @throws BAD_REQUEST "Invalid channel ID": no such channel, or the caller cannot see it
 */
export function accessChannel(read: Read, caller: Pick<Caller, 'user'>, id: number): Channel {
  const channel = findChannel(read, id)
  if (!channel || !canAccessMetadata(read, caller.user, channel)) {
    throw badRequest(sentSentence('Invalid channel ID'), { parameter: 'stream_id' })
  }
  return channel
}

/**
 * The channel with this name, if the caller can see it.
 *
 * @throws BAD_REQUEST "Invalid channel name '...'": no such channel, or the caller cannot see it
 */
export function accessChannelByName(
  read: Read,
  caller: Pick<Caller, 'user'>,
  name: string,
): Channel {
  const channel = findChannelByName(read, name)
  if (!channel || !canAccessMetadata(read, caller.user, channel)) {
    throw badRequest(sentSentence("Invalid channel name '{name}'", { name }), {
      parameter: 'stream',
    })
  }
  return channel
}

/**
 * Whether a user can see a channel: that it exists, its settings and its subscribers. Besides users
 * with content access, administrators of the organization and of the channel can, except guests.
 *
 * @source Zulip API, "API changelog" (feature levels 349, 354, 357)
 */
export function canAccessMetadata(read: Read, user: Viewer, channel: Channel): boolean {
  if (canAccessContent(read, user, channel)) return true
  if (user === 'spectator' || user.role === roles.guest) return false
  return user.role <= roles.admin || isChannelAdmin(read, user, channel)
}

/**
 * Whether a user has access to a channel's content, subscribed or not. `visibleHistory` tells how
 * far back. Spectators have access to web-public channels until they are archived.
 *
 * @source Zulip API, "API changelog" (feature levels 349, 354, 357)
 */
export function canAccessContent(read: Read, user: Viewer, channel: Channel): boolean {
  if (user === 'spectator') return channel.isWebPublic && !channel.isArchived
  if (channel.isWebPublic) return true
  if (!channel.isPrivate && user.role !== roles.guest) return true
  if (isSubscribed(read, user.id, channel.id)) return true
  return (
    canInChannel(read, user, 'can_subscribe_group', channel) ||
    canInChannel(read, user, 'can_add_subscribers_group', channel)
  )
}

/** To whom a channel is open without a subscription, whatever its groups. */
export function opennessOf({ isPrivate, isWebPublic }: Channel): Openness {
  if (isWebPublic) return openness.everyone
  return isPrivate ? openness.nobody : openness.members
}

/** Whether the channel's `can_administer_channel_group` includes the user. */
export function isChannelAdmin(read: Read, user: User, channel: Channel): boolean {
  return canInChannel(read, user, 'can_administer_channel_group', channel)
}

/** Messages of a channel: all of them, or those with these IDs. */
export type History = 'all' | Ranges

/**
 * The messages of a channel that a user may read: all of them if the history is shared, the user's own
 * if it is protected, none without content access.
 */
export function visibleHistory(read: Read, user: Viewer, channel: Channel): History {
  if (!canAccessContent(read, user, channel)) return []
  if (channel.historyPublic || user === 'spectator') return 'all'
  return ownMessages(read, user.id, channel.id)
}

/** Whether a user may read one message of a channel. */
export function canReadMessage(
  read: Read,
  user: Viewer,
  channel: Channel,
  messageId: number,
): boolean {
  if (!canAccessContent(read, user, channel)) return false
  if (channel.historyPublic || user === 'spectator') return true
  return isOwnMessage(read, user.id, { id: messageId, channelId: channel.id })
}

/** Whether a message is in a history that `visibleHistory` returned. */
export function inHistory(history: History, messageId: number): boolean {
  return history === 'all' || contains(history, messageId)
}

/**
 * The channel with this id, if the caller has access to its content.
 *
 * @throws BAD_REQUEST "Invalid channel ID": no such channel, or no content access
 */
export function accessContent(read: Read, caller: { readonly user: Viewer }, id: number): Channel {
  const channel = findChannel(read, id)
  if (!channel || !canAccessContent(read, caller.user, channel)) {
    throw badRequest(sentSentence('Invalid channel ID'), { parameter: 'stream_id' })
  }
  return channel
}
