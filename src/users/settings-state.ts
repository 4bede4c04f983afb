import type { StatePart } from '#events/state.ts'
import type { Caller } from '#http/caller.ts'
import { emojisets } from '#realm/choices.ts'
import { displaySettingNames, notificationSettingNames } from './legacy-settings.ts'
import { notificationSounds, type UserSettings, userDefaults, userSettings } from './settings.ts'
import {
  displaySettingMembers,
  notificationSettingMembers,
  userDefaultsShape,
  userSettingsShape,
} from './shapes.ts'

/** What a client that lets people change settings offers. */
const choices = {
  available_notification_sounds: notificationSounds,
  emojiset_choices: emojisets,
}

export const userSettingsState: StatePart = {
  types: ['user_settings'],
  shape: { user_settings: userSettingsShape },
  read: (caller) => ({
    user_settings: { ...ownSettings(caller), ...choices },
  }),
}

export const userDefaultsState: StatePart = {
  types: ['realm_user_settings_defaults'],
  shape: { realm_user_settings_defaults: userDefaultsShape },
  read: ({ store }) => ({ realm_user_settings_defaults: { ...userDefaults(store), ...choices } }),
}

/** For clients that do not know `user_settings`; gone at level 439. */
export const displaySettingsState: StatePart = {
  types: ['update_display_settings'],
  shape: displaySettingMembers,
  read(caller, { capabilities }) {
    if (capabilities.has('user_settings_object')) return {}
    const { emojiset_choices } = choices
    return { ...pick(ownSettings(caller), [...displaySettingNames, 'timezone']), emojiset_choices }
  },
}

/** For clients that do not know `user_settings`; gone at level 439. */
export const notificationSettingsState: StatePart = {
  types: ['update_global_notifications'],
  shape: notificationSettingMembers,
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
