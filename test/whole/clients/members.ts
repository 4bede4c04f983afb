import { queue, subscription, version } from '#test/support/record-shapes.ts'
import type { Shape } from '#test/support/shapes.ts'
import { entries } from '#test/whole/contract/register-shapes.ts'

/*
 * The members of a register reply that clients read. Their forms are those of the contract, but for
 * what a client asks for in another form.
 */

const contract: Readonly<Record<string, Shape>> = Object.assign(
  {},
  queue,
  version,
  ...Object.values(entries),
)

/** @param special the forms of members that the client asks for in its own way */
function membersOf(names: string, special: Record<string, Shape> = {}): Record<string, Shape> {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, special[name] ?? contractForm(name)]),
  )
}

function contractForm(name: string): Shape {
  const form = contract[name]
  if (form === undefined) throw new Error(`The contract has no member '${name}'.`)
  return form
}

/**
 * zulip-flutter never gets past its loading screen where one of them is missing or of another type.
 * @source clients.md §1.1
 */
export const flutterMembers = membersOf(
  `
  queue_id last_event_id zulip_feature_level zulip_version zulip_merge_base alert_words
  starred_messages muted_users custom_profile_fields max_stream_name_length max_topic_length
  max_file_upload_size_mib event_queue_longpoll_timeout_seconds
  server_presence_ping_interval_seconds server_presence_offline_threshold_seconds
  server_typing_started_expiry_period_milliseconds
  server_typing_stopped_wait_period_milliseconds server_typing_started_wait_period_milliseconds
  presences realm_emoji realm_user_groups recent_private_conversations saved_snippets
  subscriptions channel_folders unread_msgs streams user_status user_settings user_topics
  realm_can_delete_any_message_group realm_can_delete_own_message_group
  realm_wildcard_mention_policy realm_topics_policy realm_mandatory_topics realm_name
  realm_waiting_period_threshold realm_message_content_delete_limit_seconds
  realm_message_content_edit_limit_seconds realm_allow_message_editing
  realm_enable_read_receipts realm_presence_disabled realm_icon_url
  realm_default_external_accounts server_thumbnail_formats server_emoji_data_url
  realm_moderation_request_channel_id realm_empty_topic_display_name realm_users
  realm_non_active_users cross_realm_bots
`,
  {
    presences: { '*': { active_timestamp: 'int', idle_timestamp: 'int' } },
  },
)

/** zulip-terminal exits where one of them is missing. @source clients.md §1.2 */
export const terminalMembers = membersOf(
  `
  queue_id zulip_version zulip_feature_level last_event_id user_id email full_name
  max_message_id presences realm_users cross_realm_bots subscriptions muted_topics
  realm_user_groups unread_msgs realm_emoji user_settings custom_profile_fields starred_messages
  realm_name realm_message_retention_days realm_allow_message_editing realm_allow_edit_history
  realm_message_content_edit_limit_seconds max_stream_name_length max_topic_length
  max_message_length server_typing_started_expiry_period_milliseconds
  server_typing_stopped_wait_period_milliseconds server_typing_started_wait_period_milliseconds
  server_presence_ping_interval_seconds server_presence_offline_threshold_seconds
`,
  { subscriptions: [{ ...subscription, subscribers: ['int'] }] },
)

/** The retired mobile app reads much of the same, and what only it still needs. @source clients.md §1.6 */
export const oldMobileMembers = membersOf(
  `
  queue_id last_event_id zulip_version zulip_feature_level alert_words can_create_public_streams
  can_create_private_streams cross_realm_bots is_admin is_moderator is_owner max_message_id
  muted_users presences realm_emoji realm_filters realm_linkifiers realm_name
  realm_non_active_users realm_user_groups realm_users realm_video_chat_provider
  recent_private_conversations streams subscriptions unread_msgs user_id user_settings
  user_status user_topics
`,
)
