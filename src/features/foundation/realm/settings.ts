import * as v from 'valibot'
import type { Setting, SettingValue } from '#platform/setting.ts'
import * as setting from '#platform/setting.ts'
import { limits } from './limits.ts'

const week = 7 * 24 * 3600
const longestTime = 2_147_483_647

/** The age of a message in seconds up to which a change is allowed; null: no limit. */
const timeLimit = (fallback: number) =>
  setting.nullable(setting.int(1, longestTime, fallback), fallback)

const webAddress: Setting<string> = {
  schema: v.pipe(v.string(), v.url(), v.regex(/^[Hh][Tt][Tt][Pp][Ss]?:/), v.maxLength(200)),
  fallback: '',
}

/** The channel for certain notices; -1: none. */
const channelId = () => setting.int(-1, Number.MAX_SAFE_INTEGER, -1)

/**
 * The plain settings of the organization, by wire name without `realm_`. The permission settings
 * are in permissions/table.ts.
 *
 * @source Zulip API, "Update organization settings", "Register an event queue" (feature level 421)
 */
export const realmSettingRules = {
  allow_message_editing: setting.bool(true),
  avatar_changes_disabled: setting.bool(false),
  default_code_block_language: setting.described(
    setting.text(40),
    'The language of code blocks that do not name one; empty: plain text.',
  ),
  default_language: setting.described(
    setting.language(),
    'The language for new users, for invitations, and for messages from the server.',
  ),
  digest_emails_enabled: setting.bool(false),
  digest_weekday: setting.described(setting.int(0, 6, 1), '0 is Monday.'),
  disallow_disposable_email_addresses: setting.bool(true),
  email_changes_disabled: setting.bool(false),
  emails_restricted_to_domains: setting.bool(false),
  empty_topic_display_name: setting.described(
    setting.text(60, 'general chat'),
    'The name of the empty topic, also sent to clients that do not support empty topics.',
  ),
  enable_guest_user_dm_warning: setting.bool(true),
  enable_guest_user_indicator: setting.bool(true),
  enable_read_receipts: setting.bool(true),
  enable_spectator_access: setting.bool(false),
  giphy_rating: setting.described(
    setting.oneOf([0, 1, 2, 3, 4, 5], 2),
    'One of `giphy_rating_options`.',
  ),
  inline_image_preview: setting.bool(true),
  inline_url_embed_preview: setting.bool(false),
  invite_required: setting.bool(true),
  jitsi_server_url: setting.described(
    setting.nullable(webAddress),
    "The organization's own Jitsi server; null: the default of the server.",
  ),
  message_content_allowed_in_email_notifications: setting.bool(true),
  message_content_allowed_in_push_notifications: setting.described(
    setting.bool(true),
    'Whether notifications on phones and other devices contain names and the text of messages.',
  ),
  message_content_delete_limit_seconds: setting.described(timeLimit(600), 'Null: without a limit.'),
  message_content_edit_limit_seconds: setting.described(timeLimit(600), 'Null: without a limit.'),
  message_edit_history_visibility_policy: setting.described(
    setting.oneOf(['all', 'moves', 'none']),
    'How much edit history users can see: `all`, `moves` only, or `none`.',
  ),
  /** Days until messages are deleted in channels without their own policy; -1: never. */
  message_retention_days: setting.int(-1, longestTime, -1),
  moderation_request_channel_id: setting.described(
    channelId(),
    'The channel for reports of messages; -1: none.',
  ),
  move_messages_between_streams_limit_seconds: setting.described(
    timeLimit(week),
    'Null: without a limit.',
  ),
  move_messages_within_stream_limit_seconds: setting.described(
    timeLimit(week),
    'Null: without a limit.',
  ),
  name_changes_disabled: setting.bool(false),
  new_stream_announcements_stream_id: setting.described(
    channelId(),
    'The channel where new channels are announced; -1: none.',
  ),
  org_type: setting.described(
    setting.oneOf([0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000]),
    "The number of the organization's type; 0: unspecified.",
  ),
  password_auth_enabled: setting.described(
    setting.bool(true),
    'Whether people can log in with a password; owners always can. It takes effect only if there is another way to log in.',
  ),
  presence_disabled: setting.bool(false),
  require_e2ee_push_notifications: setting.bool(false),
  require_unique_names: setting.bool(false),
  send_channel_events_messages: setting.described(
    setting.bool(true),
    'Whether Notification Bot posts in a channel about changes to it.',
  ),
  send_welcome_emails: setting.bool(true),
  signup_announcements_stream_id: setting.described(
    channelId(),
    'The channel where new users are announced; -1: none.',
  ),
  topics_policy: setting.oneOf(['allow_empty_topic', 'disable_empty_topic']),
  two_factor_required: setting.described(
    setting.bool(false),
    'Whether everyone who logs in with a password needs a second factor.',
  ),
  video_chat_provider: setting.described(
    setting.oneOf([0, 1, 3, 4, 5, 6, 7], 1),
    'One of `realm_available_video_chat_providers`.',
  ),
  waiting_period_threshold: setting.described(
    setting.int(0, 36_500, 0),
    'The number of days after joining until a member is a full member.',
  ),
  want_advertise_in_communities_directory: setting.bool(false),
  welcome_message_custom_text: setting.described(
    setting.prose(limits.welcomeTextLength),
    'Markdown appended to the welcome message; empty: none.',
  ),
  zulip_update_announcements_stream_id: setting.described(
    channelId(),
    'The channel for announcements about the software; -1: none.',
  ),
} as const satisfies Record<string, Setting<unknown>>

/** Whether a setting's value is the ID of a channel, or -1 for none. */
export function isChannelSetting(name: string): boolean {
  return /_(channel|stream)_id$/.test(name)
}

/**
 * The settings and permissions that the announced feature level lacks, with their own level;
 * undefined: Parley's own. Only clients with `extended_members` get them; all can set them.
 */
export const extendedSettings: ReadonlyMap<string, number | undefined> = new Map([
  ['send_channel_events_messages', 434],
  ['message_content_allowed_in_push_notifications', undefined],
  ['two_factor_required', undefined],
  ['can_connect_assistants_group', undefined],
] satisfies [keyof typeof realmSettingRules | `can_${string}_group`, number | undefined][])

/** Settings that clients cannot set, and never see under these names. */
const innerSettingRules = {
  /** The host of the placeholders for hidden email addresses, and of bots' email addresses. */
  placeholder_domain: setting.text(255, 'localhost'),
} as const satisfies Record<string, Setting<unknown>>

/** Plain and inner settings together. */
export const allRealmSettingRules = { ...realmSettingRules, ...innerSettingRules }

export type RealmSettingName = keyof typeof allRealmSettingRules
export type RealmSettingValue<N extends RealmSettingName> = SettingValue<
  (typeof allRealmSettingRules)[N]
>
