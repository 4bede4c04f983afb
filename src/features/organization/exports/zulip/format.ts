import type { realmSettingRules } from '#features/foundation/realm/settings.ts'
import { userSettingRules } from '#features/foundation/users/settings.ts'

/*
 * The names and numbers of Zulip's export format, by the models of its releases 11 and 12, for exports to
 * it and imports from it. An import there refuses a row with a member that its release does not know.
 */

/** The major releases of Zulip that an export can be for. Each imports only its own. */
export const zulipReleases = [11, 12] as const
export type ZulipRelease = (typeof zulipReleases)[number]

/** The kinds of recipients: a person, a channel, a group of people. */
export const recipientTypes = { person: 1, channel: 2, group: 3 } as const

/** The bits of `flags_mask` that Parley supports. */
export const flagsMask = {
  read: 1,
  starred: 2,
  collapsed: 4,
  mentioned: 8,
  channelWildcard: 16,
  topicWildcard: 32,
  /** Written as `mentioned`: the kind of a mention is not stored here. */
  groupMentioned: 64,
  alertWord: 512,
  historical: 1024,
  private: 2048,
} as const

/** Zulip's value for the topic of a direct message. */
export const noTopic = '\u0007'

/** The types of messages: one that someone wrote, and the notice that a topic was resolved. */
export const messageTypes = { normal: 1, resolveNotice: 2 } as const

export const topicsPolicyNumbers = {
  inherit: 1,
  allow_empty_topic: 2,
  disable_empty_topic: 3,
  empty_topic_only: 4,
} as const

/** The server's own bots that Zulip has as well, by the name before the `@`. */
export const sharedBots = ['notification-bot', 'emailgateway', 'welcome-bot'] as const

/** Organization settings that are columns there as well. Those that name channels have other names. */
const realmColumns = [
  'allow_message_editing',
  'avatar_changes_disabled',
  'default_code_block_language',
  'default_language',
  'digest_emails_enabled',
  'digest_weekday',
  'disallow_disposable_email_addresses',
  'email_changes_disabled',
  'emails_restricted_to_domains',
  'enable_guest_user_dm_warning',
  'enable_guest_user_indicator',
  'enable_read_receipts',
  'enable_spectator_access',
  'giphy_rating',
  'inline_image_preview',
  'inline_url_embed_preview',
  'invite_required',
  'jitsi_server_url',
  'message_content_allowed_in_email_notifications',
  'message_content_delete_limit_seconds',
  'message_content_edit_limit_seconds',
  'message_edit_history_visibility_policy',
  'message_retention_days',
  'move_messages_between_streams_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'name_changes_disabled',
  'org_type',
  'require_unique_names',
  'send_channel_events_messages',
  'send_welcome_emails',
  'topics_policy',
  'video_chat_provider',
  'waiting_period_threshold',
  'want_advertise_in_communities_directory',
  'welcome_message_custom_text',
] as const satisfies readonly (keyof typeof realmSettingRules)[]

/** Columns that only release 12 has. */
const sinceTwelve: readonly string[] = ['send_channel_events_messages', 'can_create_topic_group']

/** Columns that have another name in release 12. */
export const renamedInTwelve: Readonly<Record<string, string>> = {
  giphy_rating: 'gif_rating_policy',
}

/** Numbers of values that are words in the API. */
export const settingNumbers: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  message_edit_history_visibility_policy: { all: 1, moves: 2, none: 3 },
  topics_policy: topicsPolicyNumbers,
  resolved_topic_notice_auto_read_policy: { always: 1, except_followed: 2, never: 3 },
}

export const realmSettingColumns: readonly (keyof typeof realmSettingRules)[] = realmColumns
export const userSettingColumns = Object.keys(userSettingRules) as (keyof typeof userSettingRules)[]

/** The channels that settings name: the column, and the setting. */
export const channelSettings = {
  moderation_request_channel: 'moderation_request_channel_id',
  new_stream_announcements_stream: 'new_stream_announcements_stream_id',
  signup_announcements_stream: 'signup_announcements_stream_id',
  zulip_update_announcements_stream: 'zulip_update_announcements_stream_id',
} as const satisfies Record<string, keyof typeof realmSettingRules>

/** Whether a column exists in a release. */
export const isIn = (release: ZulipRelease, column: string): boolean =>
  release >= 12 || !sinceTwelve.includes(column)

/** A setting as a column of a release; undefined: it has none there. */
export function settingColumn(
  release: ZulipRelease,
  name: string,
  value: unknown,
): readonly [string, unknown] | undefined {
  if (!isIn(release, name)) return undefined
  const column = (release >= 12 && renamedInTwelve[name]) || name
  const number = typeof value === 'string' ? settingNumbers[name]?.[value] : undefined
  return [column, number ?? value]
}

/** The lists that `realm.json` must have, also if they are empty. */
export const requiredTables = [
  'zerver_realm',
  'zerver_client',
  'zerver_userprofile',
  'zerver_userprofile_mirrordummy',
  'zerver_userprofile_crossrealm',
  'zerver_stream',
  'zerver_huddle',
  'zerver_recipient',
  'zerver_subscription',
  'zerver_defaultstream',
  'zerver_realmemoji',
  'zerver_realmdomain',
  'zerver_realmfilter',
  'zerver_realmplayground',
  'zerver_realmauthenticationmethod',
  'zerver_userpresence',
  'zerver_useractivity',
  'zerver_useractivityinterval',
  'zerver_customprofilefield',
  'zerver_customprofilefieldvalue',
  'zerver_reaction',
] as const

/** The addresses that Django accepts: Zulip's import refuses others. */
export const isAddress = (text: string): boolean =>
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*\.[a-z][a-z0-9-]+$/i.test(
    text,
  ) && !/^\.|\.\.|\.@/.test(text)

/** The longest name of a client. */
const longestClient = 30

export const clientName = (name: string): string => cut(name, longestClient)

/** PostgreSQL stores no NUL in texts. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '')

/** The beginning of a text. @param most in Unicode code points */
export const cut = (text: string, most: number): string =>
  [...withoutNul(text)].slice(0, most).join('')
