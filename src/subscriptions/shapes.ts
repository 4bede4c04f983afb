import { channelMembers } from '#channels/shapes.ts'
import {
  boolean,
  choice,
  each,
  either,
  event,
  integer,
  list,
  maybe,
  named,
  noted,
  nullable,
  object,
  string,
} from '#shape.ts'

const personal = {
  color: noted(string, 'As `#rrggbb`.'),
  is_muted: boolean,
  in_home_view: noted(boolean, 'Deprecated: the opposite of `is_muted`.'),
  pin_to_top: boolean,
  ...each(
    [
      'desktop_notifications',
      'audible_notifications',
      'push_notifications',
      'email_notifications',
      'wildcard_mentions_notify',
    ],
    noted(nullable(boolean), "Null for the user's setting."),
  ),
}

const subscribers = {
  subscribers: maybe(noted(list(integer), 'With `include_subscribers` only.')),
  partial_subscribers: maybe(
    noted(
      list(integer),
      'With `include_subscribers=partial`, of a channel with many: bots, and who was active lately.',
    ),
  ),
}

/** What a user set for one channel. */
export const personalShape = object(personal)

/** @source contract, "Channel and subscription" */
export const subscriptionShape = named('Subscription', {
  ...channelMembers,
  ...personal,
  ...subscribers,
})

/** A channel that somebody never subscribed to. */
export const otherChannelShape = named('NeverSubscribedChannel', {
  ...channelMembers,
  ...subscribers,
})

export const subscriptionEventShapes = [
  event('SubscriptionAddEvent', 'subscription', {
    op: choice('add'),
    subscriptions: list(subscriptionShape),
  }),
  event('SubscriptionRemoveEvent', 'subscription', {
    op: choice('remove'),
    subscriptions: list(named('ChannelName', { stream_id: integer, name: string })),
  }),
  event('SubscriptionUpdateEvent', 'subscription', {
    op: choice('update'),
    stream_id: integer,
    property: choice(...Object.keys(personal)),
    value: nullable(either(boolean, string)),
  }),
  event('SubscriptionPeerEvent', 'subscription', {
    op: choice('peer_add', 'peer_remove'),
    stream_ids: list(integer),
    user_ids: list(integer),
  }),
]
