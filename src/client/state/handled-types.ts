import type { EventType } from '#client/api/wire.ts'

/**
 * The types of events to ask the server for: those that the table `handlers` handles, as a test
 * checks. Heartbeats come anyway and change nothing. It is a list of its own because the page asks
 * before the handlers are loaded.
 */
export const handledTypes = [
  'alert_words',
  'attachment',
  'channel_folder',
  'custom_profile_fields',
  'default_streams',
  'delete_message',
  'drafts',
  'invites_changed',
  'message',
  'muted_users',
  'navigation_view',
  'onboarding_steps',
  'presence',
  'reaction',
  'realm',
  'realm_bot',
  'realm_domains',
  'realm_emoji',
  'realm_export',
  'realm_export_consent',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_user',
  'realm_user_settings_defaults',
  'reminders',
  'restart',
  'saved_snippets',
  'scheduled_messages',
  'server_backups',
  'stream',
  'submessage',
  'subscription',
  'typing',
  'typing_edit_message',
  'update_message',
  'update_message_flags',
  'user_group',
  'user_settings',
  'user_status',
  'user_topic',
] as const satisfies readonly EventType[]
