import type { WireEvent } from '#events/types.ts'
import type { Tx } from '#store/write.ts'
import { legacyEventType } from '#users/legacy-settings.ts'
import type { User } from '#users/queries.ts'
import type { UserSettings } from '#users/settings.ts'
import { languageName } from './languages.ts'

/** What `PATCH /settings` changes and the state has among the settings. */
export type OwnSettings = UserSettings & { timezone: string }

type SettingValue = OwnSettings[keyof OwnSettings]

/** One of the user's own settings changed. @source contract, "Events" */
export interface UserSettingsEvent extends WireEvent {
  type: 'user_settings'
  op: 'update'
  property: keyof OwnSettings
  value: SettingValue
  /** In English; for `default_language` only. */
  language_name?: string
}

/** The same of how things look, for clients without `user_settings_object`. */
export interface DisplaySettingsEvent extends WireEvent {
  type: 'update_display_settings'
  /** The API address. */
  user: string
  setting_name: keyof OwnSettings
  setting: SettingValue
  language_name?: string
}

/** The same of what the user is told, for the same clients. */
export interface GlobalNotificationsEvent extends WireEvent {
  type: 'update_global_notifications'
  user: string
  notification_name: keyof OwnSettings
  setting: SettingValue
}

/** Tells a user's clients of a setting's new value, each in the events that it knows. */
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
