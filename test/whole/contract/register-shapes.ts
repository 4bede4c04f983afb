import {
  channel,
  emoji,
  group,
  ids,
  oldPresences,
  profileField,
  subscription,
  unread,
  user,
} from '#test/support/record-shapes.ts'
import type { Shape } from '#test/support/shapes.ts'
import { realm } from './realm-shapes.ts'
import {
  displaySettings,
  notificationSettings,
  userDefaults,
  userSettings,
} from './settings-shapes.ts'

const ownUser: Record<string, Shape> = {
  avatar_source: '=G|U',
  avatar_url: 'url',
  avatar_url_medium: 'url',
  can_create_private_streams: 'bool',
  can_create_public_streams: 'bool',
  can_create_streams: 'bool',
  can_create_web_public_streams: 'bool',
  can_invite_others_to_realm: 'bool',
  can_subscribe_other_users: 'bool',
  cross_realm_bots: [{ ...user, is_system_bot: 'bool' }],
  delivery_email: 'str',
  email: 'str',
  full_name: 'str',
  is_admin: 'bool',
  is_guest: 'bool',
  is_moderator: 'bool',
  is_owner: 'bool',
  realm_non_active_users: [user],
  realm_users: [user],
  user_id: 'int',
}

/** What each entry of `fetch_event_types` brings, in the form of a client without capabilities. */
export const entries: Record<string, Record<string, Shape>> = {
  alert_words: { alert_words: ['str'] },
  channel_folders: {
    channel_folders: [
      {
        id: 'int',
        name: 'str',
        description: 'str',
        rendered_description: 'str',
        order: 'int',
        date_created: 'int?',
        creator_id: 'int?',
        is_archived: 'bool',
      },
    ],
  },
  custom_profile_fields: {
    custom_profile_fields: [profileField],
    custom_profile_field_types: { '*': { id: 'int', name: 'str' } },
  },
  default_stream_groups: { realm_default_stream_groups: ['any'] },
  default_streams: { realm_default_streams: ids },
  drafts: {
    drafts: [
      {
        id: 'int',
        type: '=|stream|private',
        to: ids,
        topic: 'str',
        content: 'str',
        timestamp: 'int',
      },
    ],
  },
  giphy: { giphy_api_key: 'str' },
  message: { max_message_id: 'int' },
  muted_topics: { muted_topics: ['any'] },
  muted_users: { muted_users: [{ id: 'int', timestamp: 'int' }] },
  quiet_times: { quiet_times: { paused_until: 'int?', schedule: 'any?' } },
  navigation_views: { navigation_views: [{ fragment: 'str', is_pinned: 'bool', name: 'str?' }] },
  onboarding_steps: {
    onboarding_steps: [{ type: '=one_time_notice', name: 'str' }],
    navigation_tour_video_url: 'url?',
  },
  presence: {
    presences: oldPresences,
    server_timestamp: 'number',
    presence_last_update_id: 'int',
  },
  push_device: {
    push_devices: { '*': { status: '=active|pending|failed', 'error_code?': 'string' } },
  },
  realm,
  realm_billing: { realm_billing: { has_pending_sponsorship_request: 'bool' } },
  realm_bot: {
    realm_bots: [
      {
        user_id: 'int',
        full_name: 'str',
        email: 'str',
        bot_type: '=1|2|3|4',
        is_active: 'bool',
        api_key: 'str',
        avatar_url: 'url',
        owner_id: 'int?',
        default_sending_stream: 'str?',
        default_events_register_stream: 'str?',
        default_all_public_streams: 'bool',
        services: [{ base_url: 'url', interface: 'int', token: 'str' }],
      },
    ],
  },
  realm_domains: { realm_domains: [{ domain: 'str', allow_subdomains: 'bool' }] },
  realm_embedded_bots: { realm_embedded_bots: ['any'] },
  realm_emoji: { realm_emoji: { '*': emoji } },
  realm_filters: { realm_filters: ['any'] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: ['any'] },
  realm_linkifiers: { realm_linkifiers: [{ id: 'int', pattern: 'str', url_template: 'str' }] },
  realm_playgrounds: { realm_playgrounds: ['any'] },
  realm_user: ownUser,
  realm_user_groups: { realm_user_groups: [group] },
  realm_user_settings_defaults: { realm_user_settings_defaults: userDefaults },
  recent_private_conversations: {
    recent_private_conversations: [{ max_message_id: 'int', user_ids: ids }],
  },
  reminders: { reminders: ['any'] },
  saved_snippets: {
    saved_snippets: [{ id: 'int', title: 'str', content: 'str', date_created: 'int' }],
  },
  scheduled_messages: { scheduled_messages: ['any'] },
  starred_messages: { starred_messages: ids },
  stop_words: { stop_words: ['str'] },
  stream: { streams: [channel] },
  subscription: {
    subscriptions: [subscription],
    unsubscribed: [subscription],
    never_subscribed: [channel],
  },
  update_display_settings: displaySettings,
  update_global_notifications: notificationSettings,
  update_message_flags: { unread_msgs: unread },
  user_settings: { user_settings: userSettings },
  user_status: { user_status: { '*': 'any' } },
  user_topic: {
    user_topics: [
      { stream_id: 'int', topic_name: 'str', last_updated: 'int', visibility_policy: '=1|2|3' },
    ],
  },
  video_calls: { has_zoom_token: 'bool' },
}
