import { isExtended } from '#platform/events/extended.ts'
import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { listByMembership, prepareOthers } from './listing.queries.ts'
import { otherChannelShape, subscriptionShape } from './shapes.ts'

/** All channels that the user can see, by the state of the user's subscription. */
export const subscriptionsState = {
  types: ['subscription'],
  members: {
    subscriptions: shape.list(subscriptionShape),
    unsubscribed: shape.noted(shape.list(subscriptionShape), 'Channels that the user left.'),
    never_subscribed: shape.noted(
      shape.list(otherChannelShape),
      'Other channels that the user can see.',
    ),
  },
  prepare: ({ store }, { includeSubscribers, capabilities }) =>
    prepareOthers(store, `${includeSubscribers} ${isExtended({ capabilities })}`),
  read: ({ user, store }, { includeSubscribers, capabilities }) =>
    listByMembership(store, user, includeSubscribers, {
      archived: capabilities.has('archived_channels'),
      extended: isExtended({ capabilities }),
    }),
  readPublic: ({ store }, { capabilities }) =>
    listByMembership(store, 'spectator', 'false', {
      archived: false,
      extended: isExtended({ capabilities }),
    }),
} satisfies StatePart
