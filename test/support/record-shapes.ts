import type { Shape } from './shapes.ts'

export const channel: Record<string, Shape> = {
  stream_id: 'int',
  name: 'str',
  is_archived: 'bool',
  description: 'str',
  rendered_description: 'str',
  date_created: 'int',
  creator_id: 'int?',
  invite_only: 'bool',
  is_web_public: 'bool',
  stream_post_policy: '=1|2|3|4',
  is_announcement_only: 'bool',
  message_retention_days: 'int?',
  history_public_to_subscribers: 'bool',
  topics_policy: '=inherit|allow_empty_topic|disable_empty_topic|empty_topic_only',
  first_message_id: 'int?',
  folder_id: 'int?',
  is_recently_active: 'bool',
  subscriber_count: 'int',
  stream_weekly_traffic: 'int?',
  can_add_subscribers_group: 'group',
  can_administer_channel_group: 'group',
  can_delete_any_message_group: 'group',
  can_delete_own_message_group: 'group',
  can_move_messages_out_of_channel_group: 'group',
  can_move_messages_within_channel_group: 'group',
  can_remove_subscribers_group: 'group',
  can_resolve_topics_group: 'group',
  can_send_message_group: 'group',
  can_subscribe_group: 'group',
}

const switches = {
  desktop_notifications: 'bool?',
  audible_notifications: 'bool?',
  push_notifications: 'bool?',
  email_notifications: 'bool?',
  wildcard_mentions_notify: 'bool?',
}

export const subscription: Record<string, Shape> = {
  ...channel,
  ...switches,
  color: 'color',
  is_muted: 'bool',
  in_home_view: 'bool',
  pin_to_top: 'bool',
}

export const user: Record<string, Shape> = {
  user_id: 'int',
  email: 'str',
  delivery_email: 'str?',
  full_name: 'str',
  date_joined: 'date',
  is_bot: 'bool',
  is_owner: 'bool',
  is_admin: 'bool',
  is_guest: 'bool',
  role: '=100|200|300|400|600',
  bot_type: 'int?',
  bot_owner_id: 'int?',
  timezone: 'str',
  avatar_url: 'url',
  avatar_version: 'int',
  'profile_data?': { '*': { value: 'str', 'rendered_value?': 'str' } },
}

export const emoji = {
  id: 'str',
  name: 'str',
  source_url: 'url',
  still_url: 'url?',
  deactivated: 'bool',
  author_id: 'int?',
}

export const profileField = {
  id: 'int',
  type: '=1|2|3|4|5|6|7|8',
  order: 'int',
  name: 'str',
  hint: 'str',
  field_data: 'json',
  display_in_profile_summary: 'bool',
  required: 'bool',
  editable_by_user: 'bool',
}

export const group = {
  id: 'int',
  name: 'str',
  description: 'str',
  members: ['int'],
  direct_subgroup_ids: ['int'],
  is_system_group: 'bool',
  deactivated: 'bool',
  creator_id: 'int?',
  date_created: 'int?',
  can_add_members_group: 'group',
  can_join_group: 'group',
  can_leave_group: 'group',
  can_manage_group: 'group',
  can_mention_group: 'group',
  can_remove_members_group: 'group',
} as const

export const version = { zulip_version: 'str', zulip_merge_base: 'str', zulip_feature_level: 'int' }
export const queue = {
  queue_id: 'str',
  last_event_id: 'int',
  idle_queue_timeout_secs: 'int',
  event_queue_longpoll_timeout_seconds: 'int',
}

export const ids = ['int'] as const
export const unread = {
  count: 'int',
  pms: [{ other_user_id: 'int', sender_id: 'int', unread_message_ids: ids }],
  streams: [{ topic: 'str', stream_id: 'int', unread_message_ids: ids }],
  huddles: [{ user_ids_string: 'str', unread_message_ids: ids }],
  mentions: ids,
  old_unreads_missing: 'bool',
} as const

const sign = { client: 'str', status: '=active|idle', timestamp: 'int' }
export const oldPresences: Shape = {
  '*': { aggregated: sign, website: { ...sign, pushable: 'bool' } },
}
