import type { EventOf } from '#platform/shape.ts'
import type { SubscriptionJson } from './json.ts'
import type { subscriptionEventShapes } from './shapes.ts'

/** The user was subscribed to these channels. */
export type SubscriptionAddEvent = EventOf<typeof subscriptionEventShapes, 'subscription', 'add'>

/** The user was unsubscribed from these channels. */
export type SubscriptionRemoveEvent = EventOf<
  typeof subscriptionEventShapes,
  'subscription',
  'remove'
>

/** A personal property of a subscription changed. */
export type SubscriptionUpdateEvent = EventOf<
  typeof subscriptionEventShapes,
  'subscription',
  'update'
>

/** Other users were subscribed to these channels or unsubscribed from them. */
export type PeerEvent = EventOf<
  typeof subscriptionEventShapes,
  'subscription',
  'peer_add' | 'peer_remove'
>

export function subscriptionAddEvent(subscriptions: SubscriptionJson[]): SubscriptionAddEvent {
  return { type: 'subscription', op: 'add', subscriptions }
}

export function subscriptionRemoveEvent(
  channels: readonly { id: number; name: string }[],
): SubscriptionRemoveEvent {
  const subscriptions = channels.map(({ id, name }) => ({ stream_id: id, name }))
  return { type: 'subscription', op: 'remove', subscriptions }
}

export function subscriptionUpdateEvent(
  channelId: number,
  property: string,
  value: boolean | string | null,
): SubscriptionUpdateEvent {
  return { type: 'subscription', op: 'update', stream_id: channelId, property, value }
}

export function peerEvent(
  op: PeerEvent['op'],
  channelId: number,
  userIds: readonly number[],
): PeerEvent {
  return { type: 'subscription', op, stream_ids: [channelId], user_ids: [...userIds] }
}
