import {
  type Channel,
  countSubscribers,
  subscriberIds,
} from '#features/foundation/channels/queries.ts'
import {
  listRecentlyActiveSubscribers,
  type Subscription,
} from '#features/foundation/channels/subscriptions.queries.ts'
import type { IncludeSubscribers } from '#platform/events/types.ts'
import type { Shaped } from '#platform/shape.ts'
import type { Read } from '#platform/store/store.ts'
import type { personalShape, subscriptionShape } from './shapes.ts'

/** A user's settings for one channel. A notification setting of null inherits the user's own. */
export type PersonalJson = Shaped<typeof personalShape>

/** The ids of a channel's subscribers: all of them, or for large channels only those active. */
export type SubscribersJson = Pick<
  Shaped<typeof subscriptionShape>,
  'subscribers' | 'partial_subscribers'
>

/** A channel with a user's settings for it. @source Zulip API, "Get subscribed channels" */
export type SubscriptionJson = Shaped<typeof subscriptionShape>

export function personalJson(subscription: Subscription): PersonalJson {
  return {
    color: subscription.color,
    is_muted: subscription.isMuted,
    in_home_view: !subscription.isMuted,
    pin_to_top: subscription.pinToTop,
    desktop_notifications: subscription.desktopNotifications,
    audible_notifications: subscription.audibleNotifications,
    push_notifications: subscription.pushNotifications,
    email_notifications: subscription.emailNotifications,
    wildcard_mentions_notify: subscription.wildcardMentionsNotify,
  }
}

/** The number of subscribers from which `partial` omits inactive ones (feature level 412). */
const largeChannel = 250
/** Users who were present within this period count as active; in seconds. */
const activePeriod = 14 * 86_400

/** The subscribers of a channel in the form that a client requested. The caller checks access. */
export function subscribersJson(
  read: Read,
  channel: Pick<Channel, 'id'>,
  wanted: IncludeSubscribers,
): SubscribersJson {
  const listed = listedSubscribers(read, channel, wanted)
  return listed ? { [listed.name]: [...listed.ids] } : {}
}

/** The same as the name of the member and its value: an array that is replaced when it changes. */
export function listedSubscribers(
  read: Read,
  channel: Pick<Channel, 'id'>,
  wanted: IncludeSubscribers,
): { readonly name: keyof SubscribersJson; readonly ids: readonly number[] } | undefined {
  if (wanted === 'false') return undefined
  if (wanted === 'partial' && countSubscribers(read, channel.id) >= largeChannel) {
    const since = Math.floor(read.clock.now() / 1000) - activePeriod
    const ids = listRecentlyActiveSubscribers(read, channel.id, since)
    return { name: 'partial_subscribers', ids }
  }
  return { name: 'subscribers', ids: subscriberIds(read, channel.id) }
}
