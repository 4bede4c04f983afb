import { legacyEventType } from '#features/foundation/users/legacy-settings.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { UserSettings } from '#features/foundation/users/settings.ts'
import type { WireEvent } from '#platform/events/types.ts'
import type { Tx } from '#platform/store/store.ts'
import { languageName } from './languages.ts'

/** The user settings, plus the time zone, which is stored with the user. */
export type OwnSettings = UserSettings & { timezone: string }

type SettingValue = OwnSettings[keyof OwnSettings]

/**
 * One of the user's own settings changed.
 *
 * @source Zulip API, "Get events", type "user_settings"
 */
export interface UserSettingsEvent extends WireEvent {
  type: 'user_settings'
  op: 'update'
  property: keyof OwnSettings
  value: SettingValue
  /** In English; only for `default_language`. */
  language_name?: string
}

/** Reports a display setting to clients without `user_settings_object`. */
export interface DisplaySettingsEvent extends WireEvent {
  type: 'update_display_settings'
  /** The API address. */
  user: string
  setting_name: keyof OwnSettings
  setting: SettingValue
  language_name?: string
}

/** Reports a notification setting to clients without `user_settings_object`. */
export interface GlobalNotificationsEvent extends WireEvent {
  type: 'update_global_notifications'
  user: string
  notification_name: keyof OwnSettings
  setting: SettingValue
}

/** Emits a setting's new value to the user's clients, to each in the events that it supports. */
export function emitUserSetting(
  tx: Tx,
  user: User,
  property: keyof OwnSettings,
  value: SettingValue,
): void {
  const language =
    property === 'default_language' ? { language_name: languageName(String(value)) } : {}
  const event: UserSettingsEvent = {
    type: 'user_settings',
    op: 'update',
    property,
    value,
    ...language,
  }
  tx.emit(event, [user.id])
  const legacy = legacyEvent(user, property, value, language)
  if (!legacy) return
  tx.emit(
    {
      type: legacy.type,
      variant: ({ traits }) => (traits.capabilities.has('user_settings_object') ? undefined : ''),
      build: () => legacy,
    },
    [user.id],
  )
}

function legacyEvent(
  { apiEmail }: User,
  name: keyof OwnSettings,
  setting: SettingValue,
  language: { language_name?: string },
): DisplaySettingsEvent | GlobalNotificationsEvent | undefined {
  const type = legacyEventType(name)
  if (type === 'update_display_settings') {
    return { type, user: apiEmail, setting_name: name, setting, ...language }
  }
  return type && { type, user: apiEmail, notification_name: name, setting }
}
