import type { StatePart } from '#events/state.ts'
import { list, noted } from '#shape.ts'
import { listByMembership } from './listing.ts'
import { otherChannelShape, subscriptionShape } from './shapes.ts'

/** All channels by what the user has to do with them. */
export const subscriptionsState: StatePart = {
  types: ['subscription'],
  shape: {
    subscriptions: list(subscriptionShape),
    unsubscribed: noted(list(subscriptionShape), 'Channels that the user left.'),
    never_subscribed: noted(list(otherChannelShape), 'Other channels that the user may know of.'),
  },
  read: ({ user, store }, { includeSubscribers, capabilities }) =>
    listByMembership(store, user, includeSubscribers, capabilities.has('archived_channels')),
}
