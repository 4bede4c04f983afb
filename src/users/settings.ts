import { eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { bool, int, language, oneOf, type Setting, type SettingValue } from '#setting.ts'
import { cached } from '#store/cached.ts'
import { jsonText } from '#store/json.ts'
import { prepared } from '#store/prepared.ts'
import { realmUserDefaults, userSettings as table } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

/** The sounds that a client can be told to play; `none` is always possible besides. */
export const notificationSounds = ['ding', 'zulip'] as const

/** When an automatic policy applies: 1 taking part, 2 sending, 3 starting the topic, 4 never. */
const topicPolicy = (fallback: 1 | 2 | 3 | 4) => oneOf([1, 2, 3, 4], fallback)

/**
 * Every setting of a user that `POST /register` announces, under its wire name. The time zone is
 * part of the user's record instead.
 *
 * @source the API description of `PATCH /settings` with api-changes §7c, at feature level 421
 */
export const userSettingRules = {
  allow_private_data_export: bool(false),
  automatically_follow_topics_policy: topicPolicy(3),
  automatically_follow_topics_where_mentioned: bool(true),
  automatically_unmute_topics_in_muted_streams_policy: topicPolicy(2),
  /** 1 as the system says, 2 dark, 3 light. */
  color_scheme: oneOf([1, 2, 3]),
  default_language: language(),
  /** 1 automatically, 2 always, 3 never. */
  demote_inactive_streams: oneOf([1, 2, 3]),
  /** What the badge counts: 1 all, 2 direct, mentions and followed, 3 direct and mentions, 4 none. */
  desktop_icon_count_display: oneOf([1, 2, 3, 4]),
  display_emoji_reaction_users: bool(true),
  /** Who sees the real address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators. */
  email_address_visibility: oneOf([1, 2, 3, 4, 5]),
  email_notifications_batching_period_seconds: int(0, 604_800, 120),
  emojiset: oneOf(['google', 'google-blob', 'twitter', 'text']),
  enable_desktop_notifications: bool(true),
  enable_digest_emails: bool(true),
  enable_drafts_synchronization: bool(true),
  enable_followed_topic_audible_notifications: bool(true),
  enable_followed_topic_desktop_notifications: bool(true),
  enable_followed_topic_email_notifications: bool(true),
  enable_followed_topic_push_notifications: bool(true),
  enable_followed_topic_wildcard_mentions_notify: bool(true),
  enable_login_emails: bool(true),
  enable_marketing_emails: bool(true),
  enable_offline_email_notifications: bool(true),
  enable_offline_push_notifications: bool(true),
  enable_online_push_notifications: bool(true),
  enable_sounds: bool(true),
  enable_stream_audible_notifications: bool(false),
  enable_stream_desktop_notifications: bool(false),
  enable_stream_email_notifications: bool(false),
  enable_stream_push_notifications: bool(false),
  enter_sends: bool(false),
  fluid_layout_width: bool(false),
  hide_ai_features: bool(false),
  high_contrast_mode: bool(false),
  left_side_userlist: bool(false),
  message_content_in_email_notifications: bool(true),
  notification_sound: oneOf([...notificationSounds, 'none'], 'zulip'),
  pm_content_in_desktop_notifications: bool(true),
  presence_enabled: bool(true),
  /** 1 where somebody belongs to several organizations, 2 always, 3 never. */
  realm_name_in_email_notifications_policy: oneOf([1, 2, 3]),
  receives_typing_notifications: bool(true),
  resolved_topic_notice_auto_read_policy: oneOf(
    ['always', 'except_followed', 'never'],
    'except_followed',
  ),
  send_private_typing_notifications: bool(true),
  send_read_receipts: bool(true),
  send_stream_typing_notifications: bool(true),
  starred_message_counts: bool(true),
  translate_emoticons: bool(false),
  twenty_four_hour_time: bool(false),
  /** 1 compact, 2 with status, 3 with status and avatar. */
  user_list_style: oneOf([1, 2, 3], 2),
  web_animate_image_previews: oneOf(['always', 'on_hover', 'never'], 'on_hover'),
  /** 1 the top topic, 2 the whole feed, 3 the list of topics, 4 the top unread topic. */
  web_channel_default_view: oneOf([1, 2, 3, 4]),
  web_escape_navigates_to_home_view: bool(true),
  web_font_size_px: int(8, 40, 16),
  web_home_view: oneOf(['recent_topics', 'inbox', 'all_messages'], 'inbox'),
  web_left_sidebar_show_channel_folders: bool(true),
  web_left_sidebar_unreads_count_summary: bool(true),
  web_line_height_percent: int(100, 250, 140),
  /** 1 always, 2 in single conversations, 3 never. */
  web_mark_read_on_scroll_policy: oneOf([1, 2, 3]),
  web_navigate_to_sent_message: bool(true),
  /** Which channels show a count: 1 all, 2 unmuted ones, 3 none. */
  web_stream_unreads_count_display_policy: oneOf([1, 2, 3], 2),
  web_suggest_update_timezone: bool(true),
  wildcard_mentions_notify: bool(true),
} as const satisfies Record<string, Setting<unknown>>

export type UserSettingName = keyof typeof userSettingRules
export type UserSettingValue<N extends UserSettingName> = SettingValue<(typeof userSettingRules)[N]>
export type UserSettings = { -readonly [N in UserSettingName]: UserSettingValue<N> }

/** The settings of which the organization decides what new users start with. */
export type UserDefaultName = Exclude<UserSettingName, 'allow_private_data_export'>
export type UserDefaults = Omit<UserSettings, 'allow_private_data_export'>

const rowsOf = prepared((db) =>
  db
    .select({ name: table.name, value: table.value })
    .from(table)
    .where(eq(table.userId, sql.placeholder('userId')))
    .prepare(),
)

/** What a user chose, by name. */
const chosen = cached((read, userId: number) => {
  const rows = rowsOf(read).all({ userId })
  return new Map(rows.map(({ name, value }) => [name, value]))
})

/** One setting of a user: what they chose, or started with, or else the built-in default. */
export function userSetting<N extends UserSettingName>(
  read: Read,
  userId: number,
  name: N,
): UserSettingValue<N> {
  const value = chosen.get(read, userId).get(name)
  return (value ?? userSettingRules[name].fallback) as UserSettingValue<N>
}

/** All settings of a user. */
export function userSettings(read: Read, userId: number): UserSettings {
  return { ...builtIn, ...Object.fromEntries(chosen.get(read, userId)) }
}

const builtIn = Object.fromEntries(
  Object.entries(userSettingRules).map(([name, { fallback }]) => [name, fallback]),
) as UserSettings

/** Stores one setting of a user. */
export function setUserSetting<N extends UserSettingName>(
  tx: Tx,
  userId: number,
  name: N,
  value: UserSettingValue<N>,
): void {
  tx.db
    .insert(table)
    .values({ userId, name, value: jsonText(v.parse(userSettingRules[name].schema, value)) })
    .onConflictDoUpdate({
      target: [table.userId, table.name],
      set: { value: sql`excluded.value` },
    })
    .run()
  chosen.forget(tx, userId)
}

const defaultRows = prepared((db) => db.select().from(realmUserDefaults).prepare())

/** What new users start with. */
export function userDefaults(read: Read): UserDefaults {
  const { allow_private_data_export: _, ...defaults } = builtIn
  const rows = defaultRows(read).all()
  return { ...defaults, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) }
}

/** Decides what users that are created from now on start with. */
export function setUserDefault<N extends UserDefaultName>(
  tx: Tx,
  name: N,
  value: UserSettingValue<N>,
): void {
  tx.db
    .insert(realmUserDefaults)
    .values({ name, value: jsonText(v.parse(userSettingRules[name].schema, value)) })
    .onConflictDoUpdate({ target: realmUserDefaults.name, set: { value: sql`excluded.value` } })
    .run()
}

/**
 * Gives a new user the organization's defaults as their own settings, so that a later change of
 * the defaults leaves them alone. Their language is the organization's unless the defaults say more.
 */
export function adoptUserDefaults(tx: Tx, userId: number): void {
  tx.db.run(sql`
    INSERT INTO user_settings (user_id, name, value)
    SELECT ${userId}, name, value FROM realm_settings WHERE name = 'default_language'
    UNION ALL SELECT ${userId}, name, value FROM realm_user_defaults WHERE true
    ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value`)
  chosen.forget(tx, userId)
}
