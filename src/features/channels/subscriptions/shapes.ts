import { channelMembers } from '#features/foundation/channels/shapes.ts'
import * as shape from '#platform/shape.ts'

const personal = {
  color: shape.noted(shape.string, 'As `#rrggbb`, in lower case.'),
  is_muted: shape.boolean,
  in_home_view: shape.noted(shape.boolean, 'Deprecated: the opposite of `is_muted`.'),
  pin_to_top: shape.boolean,
  ...shape.each(
    [
      'desktop_notifications',
      'audible_notifications',
      'push_notifications',
      'email_notifications',
      'wildcard_mentions_notify',
    ],
    shape.noted(shape.nullable(shape.boolean), "Null: the user's own setting applies."),
  ),
}

const subscribers = {
  subscribers: shape.maybe(
    shape.noted(shape.list(shape.integer), 'With `include_subscribers` only.'),
  ),
  partial_subscribers: shape.maybe(
    shape.noted(
      shape.list(shape.integer),
      'With `include_subscribers=partial`, for a large channel: bots and recently active users.',
    ),
  ),
}

/** A user's settings for one channel. */
export const personalShape = shape.object(personal)

/** @source Zulip API, "Get subscribed channels" */
export const subscriptionShape = shape.named('Subscription', {
  ...channelMembers,
  ...personal,
  ...subscribers,
})

/** A channel that the user was never subscribed to. */
export const otherChannelShape = shape.named('NeverSubscribedChannel', {
  ...channelMembers,
  ...subscribers,
})

export const subscriptionEventShapes = [
  shape.event('SubscriptionAddEvent', 'subscription', {
    op: shape.choice('add'),
    subscriptions: shape.list(subscriptionShape),
  }),
  shape.event('SubscriptionRemoveEvent', 'subscription', {
    op: shape.choice('remove'),
    subscriptions: shape.list(
      shape.named('ChannelName', { stream_id: shape.integer, name: shape.string }),
    ),
  }),
  shape.event('SubscriptionUpdateEvent', 'subscription', {
    op: shape.choice('update'),
    stream_id: shape.integer,
    property: shape.choice(...Object.keys(personal)),
    value: shape.nullable(shape.either(shape.boolean, shape.string)),
  }),
  shape.event('SubscriptionPeerEvent', 'subscription', {
    op: shape.choice('peer_add', 'peer_remove'),
    stream_ids: shape.list(shape.integer),
    user_ids: shape.list(shape.integer),
  }),
]
