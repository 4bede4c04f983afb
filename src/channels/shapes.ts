import { permissionShapes } from '#permissions/shapes.ts'
import {
  anything,
  boolean,
  choice,
  event,
  integer,
  list,
  maybe,
  named,
  noted,
  nullable,
  string,
  timestamp,
} from '#shape.ts'
import { topicsPolicies } from '#store/schema.ts'

export const channelMembers = {
  stream_id: integer,
  name: string,
  is_archived: boolean,
  description: noted(string, 'The Markdown source.'),
  rendered_description: noted(string, 'HTML.'),
  date_created: timestamp,
  creator_id: nullable(integer),
  invite_only: noted(boolean, 'Whether it is private.'),
  is_web_public: boolean,
  stream_post_policy: noted(
    choice(1, 2, 3, 4),
    'Deprecated, and only roughly what `can_send_message_group` says.',
  ),
  is_announcement_only: noted(boolean, 'Deprecated: whether `stream_post_policy` is 2.'),
  message_retention_days: noted(
    nullable(integer),
    "Null for the organization's setting, -1 for ever.",
  ),
  default_push_notifications: boolean,
  history_public_to_subscribers: boolean,
  topics_policy: choice(...topicsPolicies),
  first_message_id: nullable(integer),
  folder_id: nullable(integer),
  is_recently_active: boolean,
  subscriber_count: noted(integer, 'Active users, bots among them.'),
  stream_weekly_traffic: noted(
    nullable(integer),
    'Messages a week, rounded; null for a channel younger than that.',
  ),
  ...permissionShapes('stream'),
}

/** @source api-changes §6; clients.md §1.1 "Stream" */
export const channelShape = named('Channel', channelMembers)

export const askedChannelShape = named('ListedChannel', {
  ...channelMembers,
  is_default: maybe(noted(boolean, 'With `include_default` only.')),
})

export const topicShapes = list(
  named('Topic', { name: string, max_id: noted(integer, 'The id of its newest message.') }),
)

export const channelEventShapes = [
  event('ChannelCreateEvent', 'stream', { op: choice('create'), streams: list(channelShape) }),
  event('ChannelDeleteEvent', 'stream', {
    op: choice('delete'),
    stream_ids: list(integer),
    streams: noted(list(named('ChannelId', { stream_id: integer })), 'Deprecated: the same ids.'),
  }),
  event('ChannelUpdateEvent', 'stream', {
    op: choice('update'),
    stream_id: integer,
    name: noted(string, 'From before the change.'),
    property: choice(...Object.keys(channelMembers)),
    value: noted(anything, 'As the channel has it.'),
    rendered_description: maybe(noted(string, 'Where the description changed: HTML.')),
    history_public_to_subscribers: maybe(noted(boolean, 'Where the privacy changed.')),
    is_web_public: maybe(noted(boolean, 'Where the privacy changed.')),
  }),
  event('DefaultChannelsEvent', 'default_streams', { default_streams: list(integer) }),
]
