import {
  isDisplaySetting,
  isNotificationSetting,
} from '#features/foundation/users/legacy-settings.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { UserSettings } from '#features/foundation/users/settings.ts'
import type { userEventShapes } from '#features/foundation/users/shapes.ts'
import type { EventOf } from '#platform/shape.ts'
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
export type UserSettingsEvent = EventOf<typeof userEventShapes, 'user_settings', 'update'>

/** Reports a display setting to clients without `user_settings_object`. */
export type DisplaySettingsEvent = EventOf<typeof userEventShapes, 'update_display_settings'>

/** Reports a notification setting to clients without `user_settings_object`. */
export type GlobalNotificationsEvent = EventOf<
  typeof userEventShapes,
  'update_global_notifications'
>

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
  const user = apiEmail
  if (isDisplaySetting(name)) {
    return { type: 'update_display_settings', user, setting_name: name, setting, ...language }
  }
  return isNotificationSetting(name)
    ? { type: 'update_global_notifications', user, notification_name: name, setting }
    : undefined
}
