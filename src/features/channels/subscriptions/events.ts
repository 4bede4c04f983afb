import type { WireEvent } from '#platform/events/types.ts'
import type { SubscriptionJson } from './json.ts'

/** The user was subscribed to these channels. */
export interface SubscriptionAddEvent extends WireEvent {
  type: 'subscription'
  op: 'add'
  subscriptions: SubscriptionJson[]
}

/** The user was unsubscribed from these channels. */
export interface SubscriptionRemoveEvent extends WireEvent {
  type: 'subscription'
  op: 'remove'
  subscriptions: { stream_id: number; name: string }[]
}

/** A personal property of a subscription changed. */
export interface SubscriptionUpdateEvent extends WireEvent {
  type: 'subscription'
  op: 'update'
  stream_id: number
  property: string
  value: boolean | string | null
}

/** Other users were subscribed to these channels or unsubscribed from them. */
export interface PeerEvent extends WireEvent {
  type: 'subscription'
  op: 'peer_add' | 'peer_remove'
  stream_ids: number[]
  user_ids: number[]
}

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
