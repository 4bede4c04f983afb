import type { UserSettingName } from './settings.ts'

/**
 * The settings that were top-level members of the register reply before `user_settings` (feature
 * level 89).
 */
export const displaySettingNames = [
  'color_scheme',
  'default_language',
  'demote_inactive_streams',
  'emojiset',
  'enable_drafts_synchronization',
  'enter_sends',
  'fluid_layout_width',
  'high_contrast_mode',
  'left_side_userlist',
  'starred_message_counts',
  'translate_emoticons',
  'twenty_four_hour_time',
  'web_home_view',
] as const satisfies readonly UserSettingName[]

/** Likewise, the settings about notifications. */
export const notificationSettingNames = [
  'desktop_icon_count_display',
  'email_notifications_batching_period_seconds',
  'enable_desktop_notifications',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_sounds',
  'enable_stream_audible_notifications',
  'enable_stream_desktop_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'message_content_in_email_notifications',
  'notification_sound',
  'pm_content_in_desktop_notifications',
  'presence_enabled',
  'realm_name_in_email_notifications_policy',
  'wildcard_mentions_notify',
] as const satisfies readonly UserSettingName[]

/** Whether a change reaches clients without `user_settings_object` as `update_display_settings`. */
export function isDisplaySetting(
  name: UserSettingName | 'timezone',
): name is (typeof displaySettingNames)[number] | 'timezone' {
  return isOneOf([...displaySettingNames, 'timezone'], name)
}

/** Likewise, as `update_global_notifications`. */
export function isNotificationSetting(
  name: UserSettingName | 'timezone',
): name is (typeof notificationSettingNames)[number] {
  return isOneOf(notificationSettingNames, name)
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name)
}
