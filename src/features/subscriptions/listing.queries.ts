import { canAccessMetadata } from '#features/channels/access.ts'
import { type ChannelJson, channelWriter } from '#features/channels/json.ts'
import { findChannel, listChannels } from '#features/channels/queries.ts'
import { listSubscriptions } from '#features/channels/subscriptions.queries.ts'
import { accessUser } from '#features/users/access.ts'
import type { User, Viewer } from '#features/users/queries.ts'
import type { IncludeSubscribers } from '#platform/events/types.ts'
import type { Read } from '#platform/store/write.ts'
import {
  personalJson,
  type SubscribersJson,
  type SubscriptionJson,
  subscribersJson,
} from './json.ts'

/** The channels that a user is subscribed to, by name, without archived ones. */
export function listSubscribed(
  read: Read,
  user: User,
  wanted: IncludeSubscribers,
): SubscriptionJson[] {
  const json = channelWriter(read)
  return listSubscriptions(read, user.id)
    .flatMap((subscription) => {
      const channel = subscription.isActive && findChannel(read, subscription.channelId)
      if (!channel || channel.isArchived) return []
      const subscribers = subscribersJson(read, channel, wanted)
      return [{ ...json(channel), ...personalJson(subscription), ...subscribers }]
    })
    .sort(byName)
}

/**
 * Ids of the channels that a user is subscribed to and the viewer can see, without archived ones.
 *
 * @throws BAD_REQUEST "No such user": no such user, or the viewer cannot see the user
 */
export function listKnownSubscriptions(read: Read, viewer: User, userId: number): number[] {
  const user = accessUser(read, viewer, userId)
  return listSubscriptions(read, user.id)
    .filter(({ isActive, channelId }) => {
      const channel = isActive && findChannel(read, channelId)
      return channel && !channel.isArchived && canAccessMetadata(read, viewer, channel)
    })
    .map(({ channelId }) => channelId)
}

/** The channels that a user can see, by the state of the user's subscription. */
export interface ChannelLists {
  subscriptions: SubscriptionJson[]
  /** Channels that the user left. */
  unsubscribed: SubscriptionJson[]
  never_subscribed: (ChannelJson & SubscribersJson)[]
}

/**
 * All channels that a user can see, each list ordered by name.
 *
 * @param wanted the form in which to include subscribers
 */
export function listByMembership(
  read: Read,
  user: Viewer,
  wanted: IncludeSubscribers,
  includeArchived: boolean,
): ChannelLists {
  const lists: ChannelLists = { subscriptions: [], unsubscribed: [], never_subscribed: [] }
  const rows = user === 'spectator' ? [] : listSubscriptions(read, user.id)
  const own = new Map(rows.map((row) => [row.channelId, row]))
  const json = channelWriter(read)
  for (const channel of listChannels(read).sort(byName)) {
    if (channel.isArchived && !includeArchived) continue
    if (!canAccessMetadata(read, user, channel)) continue
    const subscription = own.get(channel.id)
    const subscribers = subscribersJson(read, channel, wanted)
    if (!subscription) lists.never_subscribed.push({ ...json(channel), ...subscribers })
    else {
      const list = subscription.isActive ? lists.subscriptions : lists.unsubscribed
      list.push({ ...json(channel), ...personalJson(subscription), ...subscribers })
    }
  }
  return lists
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1
}
