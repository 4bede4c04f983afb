import type { Shape } from '#test/support/shapes.ts'

/*
 * What zulip-terminal and the retired mobile app read of a register reply.
 * @source clients.md §1.2 and §1.6
 */

const user: Record<string, Shape> = {
  user_id: 'int',
  email: 'str',
  full_name: 'str',
  is_bot: 'bool',
  role: 'int',
  date_joined: 'date',
  timezone: 'str',
  bot_type: 'int?',
  bot_owner_id: 'int?',
}

/** By address, not by id: these clients ask without `slim_presence`. */
const presences: Shape = {
  '*': {
    aggregated: { status: '=active|idle|offline', timestamp: 'int' },
    website: { status: '=active|idle|offline', timestamp: 'int' },
  },
}

/** A member that is missing makes zulip-terminal exit. */
export const terminalState: Record<string, Shape> = {
  queue_id: 'str',
  zulip_version: 'str',
  zulip_feature_level: 'int',
  last_event_id: 'int',
  user_id: 'int',
  email: 'str',
  full_name: 'str',
  max_message_id: 'int',
  presences,
  realm_users: [user],
  cross_realm_bots: [{ email: 'str', full_name: 'str', user_id: 'int' }],
  subscriptions: [
    {
      stream_id: 'int',
      name: 'str',
      color: 'color',
      description: 'str',
      rendered_description: 'str',
      pin_to_top: 'bool',
      is_muted: 'bool',
      desktop_notifications: 'bool?',
      invite_only: 'bool',
      is_web_public: 'bool',
      message_retention_days: 'int?',
      subscribers: ['int'],
      date_created: 'int',
      stream_weekly_traffic: 'int?',
    },
  ],
  muted_topics: ['any'],
  realm_user_groups: [{ id: 'int', name: 'str' }],
  unread_msgs: {
    mentions: ['int'],
    pms: [{ sender_id: 'int', unread_message_ids: ['int'] }],
    streams: [{ stream_id: 'int', topic: 'str', unread_message_ids: ['int'] }],
    huddles: [{ user_ids_string: 'str', unread_message_ids: ['int'] }],
  },
  realm_emoji: { '*': { name: 'str', deactivated: 'bool' } },
  user_settings: {
    send_private_typing_notifications: 'bool',
    twenty_four_hour_time: 'bool',
    pm_content_in_desktop_notifications: 'bool',
  },
  custom_profile_fields: [{ id: 'int', name: 'str', type: 'int', field_data: 'json' }],
  starred_messages: ['int'],
  realm_name: 'str',
  realm_message_retention_days: 'int',
  realm_allow_message_editing: 'bool',
  realm_allow_edit_history: 'bool',
  realm_message_content_edit_limit_seconds: 'int?',
  max_stream_name_length: 'int',
  max_topic_length: 'int',
  max_message_length: 'int',
  server_typing_started_expiry_period_milliseconds: 'int',
  server_typing_stopped_wait_period_milliseconds: 'int',
  server_typing_started_wait_period_milliseconds: 'int',
  server_presence_ping_interval_seconds: 'int',
  server_presence_offline_threshold_seconds: 'int',
}

/** The retired mobile app reads much of the same, and what only it still needs. */
export const oldMobileState: Record<string, Shape> = {
  queue_id: 'str',
  last_event_id: 'int',
  zulip_version: 'str',
  zulip_feature_level: 'int',
  alert_words: ['str'],
  can_create_public_streams: 'bool',
  can_create_private_streams: 'bool',
  cross_realm_bots: [{ email: 'str', full_name: 'str', user_id: 'int' }],
  is_admin: 'bool',
  is_moderator: 'bool',
  is_owner: 'bool',
  max_message_id: 'int',
  muted_users: [{ id: 'int', timestamp: 'int' }],
  presences,
  realm_emoji: { '*': { id: 'str', name: 'str', source_url: 'url', deactivated: 'bool' } },
  realm_filters: ['any'],
  realm_linkifiers: ['any'],
  realm_name: 'str',
  realm_non_active_users: [user],
  realm_user_groups: [{ id: 'int', name: 'str', description: 'str', members: ['int'] }],
  realm_users: [user],
  realm_video_chat_provider: 'int',
  recent_private_conversations: [{ max_message_id: 'int', user_ids: ['int'] }],
  streams: [{ stream_id: 'int', name: 'str', description: 'str', invite_only: 'bool' }],
  subscriptions: [{ stream_id: 'int', color: 'color', in_home_view: 'bool', pin_to_top: 'bool' }],
  unread_msgs: { streams: ['any'], huddles: ['any'], pms: ['any'], mentions: ['int'] },
  user_id: 'int',
  user_settings: { display_emoji_reaction_users: 'bool' },
  user_status: { '*': 'any' },
  user_topics: [
    { stream_id: 'int', topic_name: 'str', last_updated: 'int', visibility_policy: 'int' },
  ],
}
