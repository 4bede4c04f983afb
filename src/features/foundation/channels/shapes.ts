import { permissionShapes } from '#features/foundation/permissions/shapes.ts'
import * as shape from '#platform/shape.ts'
import { topicsPolicies } from '#platform/store/schema.ts'

const permissions = permissionShapes('stream')

/** The members of a channel that only clients with `extended_members` get. */
export const extendedChannelMembers = [
  'default_push_notifications',
  'can_create_topic_group',
] as const

export const channelMembers = {
  stream_id: shape.integer,
  name: shape.string,
  is_archived: shape.boolean,
  description: shape.noted(shape.string, 'The Markdown source.'),
  rendered_description: shape.noted(shape.string, 'HTML.'),
  date_created: shape.timestamp,
  creator_id: shape.nullable(shape.integer),
  invite_only: shape.noted(shape.boolean, 'Whether the channel is private.'),
  is_web_public: shape.boolean,
  stream_post_policy: shape.noted(
    shape.choice(1, 2, 3, 4),
    'Deprecated: an approximation of `can_send_message_group`.',
  ),
  is_announcement_only: shape.noted(
    shape.boolean,
    'Deprecated: whether `stream_post_policy` is 2.',
  ),
  message_retention_days: shape.noted(
    shape.nullable(shape.integer),
    "Null: the organization's setting applies; -1: forever.",
  ),
  default_push_notifications: shape.extended(shape.boolean, 507),
  history_public_to_subscribers: shape.boolean,
  topics_policy: shape.choice(...topicsPolicies),
  first_message_id: shape.nullable(shape.integer),
  folder_id: shape.nullable(shape.integer),
  is_recently_active: shape.boolean,
  subscriber_count: shape.noted(shape.integer, 'The number of active subscribers, including bots.'),
  stream_weekly_traffic: shape.noted(
    shape.nullable(shape.integer),
    'Messages per week, rounded; null for a channel less than a week old.',
  ),
  ...permissions,
  can_create_topic_group: shape.extended(permissions.can_create_topic_group, 441),
}

/** @source Zulip API, "Get all channels" */
export const channelShape = shape.named('Channel', channelMembers)

export const listedChannelShape = shape.named('ListedChannel', {
  ...channelMembers,
  is_default: shape.maybe(shape.noted(shape.boolean, 'With `include_default` only.')),
})

export const topicShapes = shape.list(
  shape.named('Topic', {
    name: shape.string,
    max_id: shape.noted(shape.integer, 'The ID of its newest message.'),
  }),
)

export const channelEventShapes = [
  shape.event('ChannelCreateEvent', 'stream', {
    op: shape.choice('create'),
    streams: shape.list(channelShape),
  }),
  shape.event('ChannelDeleteEvent', 'stream', {
    op: shape.choice('delete'),
    stream_ids: shape.list(shape.integer),
    streams: shape.noted(
      shape.list(shape.named('ChannelId', { stream_id: shape.integer })),
      'Deprecated: the same IDs.',
    ),
  }),
  shape.event('ChannelUpdateEvent', 'stream', {
    op: shape.choice('update'),
    stream_id: shape.integer,
    name: shape.noted(shape.string, 'The name before the change.'),
    property: shape.choice(...Object.keys(channelMembers)),
    value: shape.noted(
      shape.anything,
      "The new value, in the form of the channel's member of this name.",
    ),
    rendered_description: shape.maybe(
      shape.noted(shape.string, 'Present if the description changed: HTML.'),
    ),
    history_public_to_subscribers: shape.maybe(
      shape.noted(shape.boolean, 'Present if the privacy changed.'),
    ),
    is_web_public: shape.maybe(shape.noted(shape.boolean, 'Present if the privacy changed.')),
  }),
  shape.event('DefaultChannelsEvent', 'default_streams', {
    default_streams: shape.list(shape.integer),
  }),
]
