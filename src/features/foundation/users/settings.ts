import type { Setting, SettingValue } from '#platform/setting.ts'
import * as setting from '#platform/setting.ts'

/** The sounds that clients can play; a user can also choose `none`. */
export const notificationSounds = ['ding', 'zulip'] as const

/** When the policy applies: 1 on participating, 2 on sending, 3 on starting the topic, 4 never. */
const topicPolicy = (fallback: 1 | 2 | 3 | 4) => setting.oneOf([1, 2, 3, 4], fallback)

/**
 * Every user setting in the register reply, by its wire name. The time zone is a column of the user
 * instead.
 *
 * @source Zulip API, "Update settings" (feature level 421)
 */
export const userSettingRules = {
  allow_private_data_export: setting.bool(false),
  automatically_follow_topics_policy: setting.described(
    topicPolicy(3),
    'When to follow topics automatically: 1 on participating, 2 on sending, 3 on starting the topic, 4 never.',
  ),
  automatically_follow_topics_where_mentioned: setting.bool(true),
  automatically_unmute_topics_in_muted_streams_policy: setting.described(
    topicPolicy(2),
    'When to unmute topics in muted channels automatically: 1 on participating, 2 on sending, 3 on starting the topic, 4 never.',
  ),
  color_scheme: setting.described(setting.oneOf([1, 2, 3]), '1 like the system, 2 dark, 3 light.'),
  default_language: setting.described(
    setting.language(),
    'The language of the web client, of pages, and of mail and notifications.',
  ),
  demote_inactive_streams: setting.described(
    setting.oneOf([1, 2, 3]),
    '1 automatically, 2 always, 3 never.',
  ),
  desktop_icon_count_display: setting.described(
    setting.oneOf([1, 2, 3, 4]),
    'What the badge counts: 1 all unread messages; 2 direct messages, mentions and followed topics; 3 direct messages and mentions; 4 nothing.',
  ),
  display_emoji_reaction_users: setting.bool(true),
  email_address_visibility: setting.described(
    setting.oneOf([1, 2, 3, 4, 5]),
    'Who can see the real email address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.',
  ),
  email_notifications_batching_period_seconds: setting.described(
    setting.int(0, 604_800, 120),
    'How long to collect messages before sending a mail about them, in seconds.',
  ),
  emojiset: setting.oneOf(['google', 'google-blob', 'twitter', 'text']),
  enable_desktop_notifications: setting.bool(true),
  enable_digest_emails: setting.bool(true),
  enable_drafts_synchronization: setting.bool(true),
  enable_followed_topic_audible_notifications: setting.bool(true),
  enable_followed_topic_desktop_notifications: setting.bool(true),
  enable_followed_topic_email_notifications: setting.bool(true),
  enable_followed_topic_push_notifications: setting.bool(true),
  enable_followed_topic_wildcard_mentions_notify: setting.bool(true),
  enable_login_emails: setting.bool(true),
  enable_marketing_emails: setting.bool(true),
  enable_offline_email_notifications: setting.bool(true),
  enable_offline_push_notifications: setting.bool(true),
  enable_online_push_notifications: setting.bool(true),
  enable_sounds: setting.bool(true),
  enable_stream_audible_notifications: setting.bool(false),
  enable_stream_desktop_notifications: setting.bool(false),
  enable_stream_email_notifications: setting.bool(false),
  enable_stream_push_notifications: setting.bool(false),
  enter_sends: setting.bool(false),
  fluid_layout_width: setting.bool(false),
  hide_ai_features: setting.bool(false),
  high_contrast_mode: setting.bool(false),
  left_side_userlist: setting.bool(false),
  message_content_in_email_notifications: setting.bool(true),
  notification_sound: setting.oneOf([...notificationSounds, 'none'], 'zulip'),
  pm_content_in_desktop_notifications: setting.bool(true),
  presence_enabled: setting.bool(true),
  realm_name_in_email_notifications_policy: setting.described(
    setting.oneOf([1, 2, 3]),
    'Whether mails about messages name the organization: 1 if the user belongs to several, 2 always, 3 never.',
  ),
  receives_typing_notifications: setting.bool(true),
  resolved_topic_notice_auto_read_policy: setting.oneOf(
    ['always', 'except_followed', 'never'],
    'except_followed',
  ),
  send_private_typing_notifications: setting.bool(true),
  send_read_receipts: setting.bool(true),
  send_stream_typing_notifications: setting.bool(true),
  starred_message_counts: setting.bool(true),
  translate_emoticons: setting.bool(false),
  twenty_four_hour_time: setting.bool(false),
  user_list_style: setting.described(
    setting.oneOf([1, 2, 3], 2),
    '1 compact, 2 with status, 3 with status and avatar.',
  ),
  web_animate_image_previews: setting.oneOf(['always', 'on_hover', 'never'], 'on_hover'),
  web_channel_default_view: setting.described(
    setting.oneOf([1, 2, 3, 4]),
    '1 the top topic, 2 the whole feed, 3 the list of topics, 4 the top unread topic.',
  ),
  web_escape_navigates_to_home_view: setting.bool(true),
  web_font_size_px: setting.int(8, 40, 16),
  // Since level 454 the first is called `recent`.
  web_home_view: setting.alsoNamed(
    setting.oneOf(['recent_topics', 'inbox', 'all_messages'], 'inbox'),
    { recent: 'recent_topics' },
  ),
  web_left_sidebar_show_channel_folders: setting.bool(true),
  web_left_sidebar_unreads_count_summary: setting.bool(true),
  web_line_height_percent: setting.int(100, 250, 140),
  web_mark_read_on_scroll_policy: setting.described(
    setting.oneOf([1, 2, 3]),
    '1 always, 2 in single conversations, 3 never.',
  ),
  web_navigate_to_sent_message: setting.bool(true),
  web_stream_unreads_count_display_policy: setting.described(
    setting.oneOf([1, 2, 3], 2),
    'Which channels show a count: 1 all, 2 unmuted ones, 3 none.',
  ),
  web_suggest_update_timezone: setting.bool(true),
  wildcard_mentions_notify: setting.bool(true),
} as const satisfies Record<string, Setting<unknown>>

export type UserSettingName = keyof typeof userSettingRules
export type UserSettingValue<N extends UserSettingName> = SettingValue<(typeof userSettingRules)[N]>
export type UserSettings = { -readonly [N in UserSettingName]: UserSettingValue<N> }

/** The settings for which an organization sets defaults. */
export type UserDefaultName = Exclude<UserSettingName, 'allow_private_data_export'>
export type UserDefaults = Omit<UserSettings, 'allow_private_data_export'>
