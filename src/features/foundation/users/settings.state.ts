import { emojisets } from '#features/foundation/realm/choices.ts'
import type { StatePart } from '#platform/events/state.ts'
import type { Caller } from '#platform/http/caller.ts'
import { displaySettingNames, notificationSettingNames } from './legacy-settings.ts'
import { userDefaults, userSettings } from './settings.queries.ts'
import { notificationSounds, type UserSettings } from './settings.ts'
import {
  displaySettingMembers,
  notificationSettingMembers,
  userDefaultsShape,
  userSettingsShape,
} from './shapes.ts'

/** The choices that a settings screen offers. */
const choices = {
  available_notification_sounds: notificationSounds,
  emojiset_choices: emojisets,
}

export const userSettingsState = {
  types: ['user_settings'],
  members: { user_settings: userSettingsShape },
  read: (caller) => ({
    user_settings: { ...ownSettings(caller), ...choices },
  }),
} satisfies StatePart

export const userDefaultsState = {
  types: ['realm_user_settings_defaults'],
  members: { realm_user_settings_defaults: userDefaultsShape },
  read: ({ store }) => ({ realm_user_settings_defaults: { ...userDefaults(store), ...choices } }),
} satisfies StatePart

/** For clients without `user_settings_object`; removed in feature level 439. */
export const displaySettingsState = {
  types: ['update_display_settings'],
  members: displaySettingMembers,
  read(caller, { capabilities }) {
    if (capabilities.has('user_settings_object')) return {}
    const { emojiset_choices } = choices
    return { ...pick(ownSettings(caller), [...displaySettingNames, 'timezone']), emojiset_choices }
  },
} satisfies StatePart

/** For clients without `user_settings_object`; removed in feature level 439. */
export const notificationSettingsState = {
  types: ['update_global_notifications'],
  members: notificationSettingMembers,
  read(caller, { capabilities }) {
    if (capabilities.has('user_settings_object')) return {}
    const { available_notification_sounds } = choices
    return { ...pick(ownSettings(caller), notificationSettingNames), available_notification_sounds }
  },
} satisfies StatePart

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
