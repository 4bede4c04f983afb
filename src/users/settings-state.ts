import type { StatePart } from '#events/state.ts'
import type { Caller } from '#http/caller.ts'
import { emojisets } from '#realm/choices.ts'
import {
  notificationSounds,
  type UserSettingName,
  type UserSettings,
  userDefaults,
  userSettings,
} from './settings.ts'

/** What a client that lets people change settings offers. */
const choices = {
  available_notification_sounds: notificationSounds,
  emojiset_choices: emojisets,
}

export const userSettingsState: StatePart = {
  types: ['user_settings'],
  read: (caller) => ({
    user_settings: { ...ownSettings(caller), ...choices },
  }),
}

export const userDefaultsState: StatePart = {
  types: ['realm_user_settings_defaults'],
  read: ({ store }) => ({ realm_user_settings_defaults: { ...userDefaults(store), ...choices } }),
}

/** The settings that were once top-level members, before `user_settings` (level 89). */
const displaySettingNames = [
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

const notificationSettingNames = [
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

/** For clients that do not know `user_settings`; gone at level 439. */
export const displaySettingsState: StatePart = {
  types: ['update_display_settings'],
  read(caller, { capabilities }) {
    if (capabilities.has('user_settings_object')) return {}
    const { emojiset_choices } = choices
    return { ...pick(ownSettings(caller), [...displaySettingNames, 'timezone']), emojiset_choices }
  },
}

/** For clients that do not know `user_settings`; gone at level 439. */
export const notificationSettingsState: StatePart = {
  types: ['update_global_notifications'],
  read(caller, { capabilities }) {
    if (capabilities.has('user_settings_object')) return {}
    const { available_notification_sounds } = choices
    return { ...pick(ownSettings(caller), notificationSettingNames), available_notification_sounds }
  },
}

type OwnSettings = UserSettings & { timezone: string }

function ownSettings({ store, user }: Caller): OwnSettings {
  return { ...userSettings(store, user.id), timezone: user.timezone }
}

function pick(
  settings: OwnSettings,
  names: readonly (keyof OwnSettings)[],
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, settings[name]]))
}
