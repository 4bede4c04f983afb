import type { Capability } from '#client/api/wire.ts'
import { handledTypes } from './handled-types.ts'

/** All client capabilities that the server knows. */
const capabilities: Readonly<Record<Capability, true>> = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  simplified_presence_events: true,
  individual_emoji_changes: true,
  extended_members: true,
}

/**
 * The parts that the client requests when it registers: the members of `RegisterReply`, and their
 * events.
 */
export const registration = {
  apply_markdown: true,
  slim_presence: true,
  include_subscribers: 'partial',
  // Over a long weekend, so that the next start continues with the queue of the last one.
  idle_queue_timeout: 4 * 24 * 3600,
  client_capabilities: capabilities,
  event_types: handledTypes,
  fetch_event_types: [
    'alert_words',
    'channel_folders',
    'custom_profile_fields',
    'default_stream_groups',
    'default_streams',
    'drafts',
    'message',
    'muted_users',
    'navigation_views',
    'onboarding_steps',
    'presence',
    'quiet_times',
    'realm',
    'realm_bot',
    'realm_domains',
    'realm_emoji',
    'realm_incoming_webhook_bots',
    'realm_linkifiers',
    'realm_playgrounds',
    'realm_user',
    'realm_user_groups',
    'realm_user_settings_defaults',
    'recent_private_conversations',
    'reminders',
    'saved_snippets',
    'scheduled_messages',
    'starred_messages',
    'subscription',
    'update_message_flags',
    'user_settings',
    'user_status',
    'user_topic',
    'video_calls',
  ],
} as const
