import type { Shape } from '#test/support/shapes.ts'

/** Settings of how things look, as they were once members of the reply itself. */
const lookSettings: Record<string, Shape> = {
  color_scheme: '=1|2|3',
  default_language: 'str',
  demote_inactive_streams: '=1|2|3',
  emojiset: '=google|google-blob|twitter|text',
  enable_drafts_synchronization: 'bool',
  enter_sends: 'bool',
  fluid_layout_width: 'bool',
  high_contrast_mode: 'bool',
  left_side_userlist: 'bool',
  starred_message_counts: 'bool',
  translate_emoticons: 'bool',
  twenty_four_hour_time: 'bool',
  web_home_view: '=recent_topics|inbox|all_messages',
  emojiset_choices: [{ key: 'str', text: 'str' }],
}

export const displaySettings = { ...lookSettings, timezone: 'str' }

/** Settings of what a user is told, likewise. */
export const notificationSettings: Record<string, Shape> = {
  available_notification_sounds: ['str'],
  desktop_icon_count_display: '=1|2|3|4',
  email_notifications_batching_period_seconds: 'int',
  enable_desktop_notifications: 'bool',
  enable_digest_emails: 'bool',
  enable_login_emails: 'bool',
  enable_marketing_emails: 'bool',
  enable_offline_email_notifications: 'bool',
  enable_offline_push_notifications: 'bool',
  enable_online_push_notifications: 'bool',
  enable_sounds: 'bool',
  enable_stream_audible_notifications: 'bool',
  enable_stream_desktop_notifications: 'bool',
  enable_stream_email_notifications: 'bool',
  enable_stream_push_notifications: 'bool',
  message_content_in_email_notifications: 'bool',
  notification_sound: 'str',
  pm_content_in_desktop_notifications: 'bool',
  presence_enabled: 'bool',
  realm_name_in_email_notifications_policy: '=1|2|3',
  wildcard_mentions_notify: 'bool',
}

/** Everything that the organization decides for new users. */
export const userDefaults: Record<string, Shape> = {
  ...lookSettings,
  ...notificationSettings,
  automatically_follow_topics_policy: '=1|2|3|4',
  automatically_follow_topics_where_mentioned: 'bool',
  automatically_unmute_topics_in_muted_streams_policy: '=1|2|3|4',
  display_emoji_reaction_users: 'bool',
  email_address_visibility: '=1|2|3|4|5',
  enable_followed_topic_audible_notifications: 'bool',
  enable_followed_topic_desktop_notifications: 'bool',
  enable_followed_topic_email_notifications: 'bool',
  enable_followed_topic_push_notifications: 'bool',
  enable_followed_topic_wildcard_mentions_notify: 'bool',
  hide_ai_features: 'bool',
  receives_typing_notifications: 'bool',
  resolved_topic_notice_auto_read_policy: '=always|except_followed|never',
  send_private_typing_notifications: 'bool',
  send_read_receipts: 'bool',
  send_stream_typing_notifications: 'bool',
  user_list_style: '=1|2|3',
  web_animate_image_previews: '=always|on_hover|never',
  web_channel_default_view: '=1|2|3|4',
  web_escape_navigates_to_home_view: 'bool',
  web_font_size_px: 'int',
  web_left_sidebar_show_channel_folders: 'bool',
  web_left_sidebar_unreads_count_summary: 'bool',
  web_line_height_percent: 'int',
  web_mark_read_on_scroll_policy: '=1|2|3',
  web_navigate_to_sent_message: 'bool',
  web_stream_unreads_count_display_policy: '=1|2|3',
  web_suggest_update_timezone: 'bool',
}
/** Everything that a user decides. */
export const userSettings: Record<string, Shape> = {
  ...userDefaults,
  timezone: 'str',
  allow_private_data_export: 'bool',
}
