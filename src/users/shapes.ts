import {
  always,
  anything,
  boolean,
  choice,
  each,
  event,
  integer,
  list,
  maybe,
  named,
  noted,
  nullable,
  object,
  optionals,
  record,
  string,
} from '#shape.ts'
import { displaySettingNames, notificationSettingNames } from './legacy-settings.ts'
import { notificationSounds, userSettingRules } from './settings.ts'

const profileValue = {
  value: string,
  rendered_value: maybe(noted(string, 'HTML, for the types of fields that know Markdown.')),
}

const role = noted(
  choice(100, 200, 300, 400, 600),
  '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
)

const known = {
  user_id: integer,
  delivery_email: noted(nullable(string), 'The real address; null where it may not be seen.'),
  email: noted(string, 'The API email.'),
  full_name: string,
  date_joined: noted(string, 'ISO 8601, in UTC.'),
  is_owner: boolean,
  is_admin: noted(boolean, 'True for owners, too.'),
  is_guest: boolean,
  is_bot: boolean,
  is_system_bot: maybe(always(true)),
  is_imported_stub: always(false),
  bot_type: noted(
    nullable(choice(1, 2, 3, 4)),
    '1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded; null for people.',
  ),
  bot_owner_id: nullable(integer),
  role,
  timezone: noted(string, 'An IANA name, or empty.'),
  avatar_url: noted(
    nullable(string),
    'Null where the client computes gravatars itself and can see the address.',
  ),
  avatar_version: noted(integer, 'Changes with the picture.'),
  profile_data: maybe(
    noted(
      record(named('ProfileValue', profileValue)),
      'What a person filled in, by the id of the custom profile field; where it was asked for.',
    ),
  ),
}

export const ownUserMembers = { ...known, is_active: boolean }

/** @source contract, "User (GET /users/{user_id})"; api-changes §6 */
export const userShape = named('User', ownUserMembers)

/** The same in the lists of the register reply, each of which says it. */
const registeredUser = named('RegisteredUser', known)

export const registeredUsersMembers = {
  realm_users: noted(list(registeredUser), 'The active ones.'),
  realm_non_active_users: list(registeredUser),
  cross_realm_bots: noted(list(userShape), 'The system bots.'),
}

export const ownStateMembers = {
  user_id: integer,
  email: string,
  delivery_email: string,
  full_name: string,
  avatar_source: choice('G', 'U'),
  avatar_url: nullable(string),
  avatar_url_medium: string,
  is_owner: boolean,
  is_admin: boolean,
  is_moderator: noted(boolean, 'True for all with more rights, too.'),
  is_guest: boolean,
  ...each(
    [
      'can_create_streams',
      'can_create_public_streams',
      'can_create_private_streams',
      'can_create_web_public_streams',
      'can_subscribe_other_users',
      'can_invite_others_to_realm',
    ],
    boolean,
  ),
}

const settings = Object.fromEntries(
  Object.entries(userSettingRules).map(([name, { schema }]) => [name, schema]),
)
const { allow_private_data_export: _, ...defaults } = settings

const soundChoices = { available_notification_sounds: list(choice(...notificationSounds)) }
const emojisetChoices = {
  emojiset_choices: list(named('Emojiset', { key: string, text: string })),
}

export const userSettingsShape = named('UserSettings', {
  ...settings,
  timezone: string,
  ...soundChoices,
  ...emojisetChoices,
})

export const userDefaultsShape = named('UserSettingsDefaults', {
  ...defaults,
  ...soundChoices,
  ...emojisetChoices,
})

const picked = (names: readonly string[]) =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)))

export const displaySettingMembers = {
  ...picked(displaySettingNames),
  timezone: string,
  ...emojisetChoices,
}

export const notificationSettingMembers = { ...picked(notificationSettingNames), ...soundChoices }

const languageName = maybe(noted(string, 'For `default_language` only: its name in English.'))

export const userEventShapes = [
  event('UserAddEvent', 'realm_user', { op: choice('add'), person: userShape }),
  event('UserRemoveEvent', 'realm_user', {
    op: choice('remove'),
    person: object({ user_id: integer, full_name: noted(string, "Deprecated, and nobody's.") }),
  }),
  event('UserUpdateEvent', 'realm_user', {
    op: choice('update'),
    person: noted(
      named('UserChanges', {
        user_id: integer,
        ...optionals({
          avatar_source: choice('G', 'U'),
          avatar_url: nullable(string),
          avatar_url_medium: nullable(string),
          avatar_version: integer,
          bot_owner_id: nullable(integer),
          custom_profile_field: named('ProfileValueChange', {
            id: integer,
            value: nullable(string),
            rendered_value: profileValue.rendered_value,
          }),
          delivery_email: nullable(string),
          email: string,
          full_name: string,
          is_active: boolean,
          new_email: noted(string, 'A new API email.'),
          role,
          timezone: string,
        }),
      }),
      'Besides the id, what changed.',
    ),
  }),
  event('UserSettingsEvent', 'user_settings', {
    op: choice('update'),
    property: choice(...Object.keys(settings), 'timezone'),
    value: noted(anything, 'As `user_settings` has it.'),
    language_name: languageName,
  }),
  event('DisplaySettingsEvent', 'update_display_settings', {
    user: noted(string, 'The API email.'),
    setting_name: choice(...displaySettingNames, 'timezone'),
    setting: noted(anything, 'As `user_settings` has it.'),
    language_name: languageName,
  }),
  event('GlobalNotificationsEvent', 'update_global_notifications', {
    user: noted(string, 'The API email.'),
    notification_name: choice(...notificationSettingNames),
    setting: noted(anything, 'As `user_settings` has it.'),
  }),
]
