import type { ChannelJson } from '#channels/json.ts'
import { type Channel, countSubscribers, subscriberIds } from '#channels/queries.ts'
import type { IncludeSubscribers } from '#events/types.ts'
import type { Shaped } from '#shape.ts'
import type { Read } from '#store/write.ts'
import { listLivelySubscribers, type Subscription } from './queries.ts'
import type { personalShape } from './shapes.ts'

/** What a user set for one channel. The five switches: null inherits the user's setting. */
export type PersonalJson = Shaped<typeof personalShape>

/** Who is subscribed: everybody or, for channels with many, only whom clients need at once. */
export interface SubscribersJson {
  subscribers?: number[]
  partial_subscribers?: number[]
}

/** A channel with what a user set for it. @source contract, "Channel and subscription" */
export type SubscriptionJson = ChannelJson & PersonalJson & SubscribersJson

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

/** From how many subscribers on `partial` leaves some out (feature level 412). */
const many = 250
/** Who showed themselves in the last 14 days counts as active, in seconds. */
const activePeriod = 14 * 86_400

/** The subscribers of a channel as a client asked for them. Access is not checked here. */
export function subscribersJson(
  read: Read,
  channel: Pick<Channel, 'id'>,
  wanted: IncludeSubscribers,
): SubscribersJson {
  if (wanted === 'false') return {}
  if (wanted === 'partial' && countSubscribers(read, channel.id) >= many) {
    const since = Math.floor(read.clock.now() / 1000) - activePeriod
    return { partial_subscribers: listLivelySubscribers(read, channel.id, since) }
  }
  return { subscribers: subscriberIds(read, channel.id) }
}
