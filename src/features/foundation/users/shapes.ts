import * as shape from '#platform/shape.ts'
import { displaySettingNames, notificationSettingNames } from './legacy-settings.ts'
import { notificationSounds, userSettingRules } from './settings.ts'

const profileValue = {
  value: shape.string,
  rendered_value: shape.maybe(
    shape.noted(shape.string, 'HTML, for the types of fields that support Markdown.'),
  ),
}

const role = shape.noted(
  shape.choice(100, 200, 300, 400, 600),
  '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
)

const known = {
  user_id: shape.integer,
  delivery_email: shape.noted(
    shape.nullable(shape.string),
    'The real email address; null if the viewer may not see it.',
  ),
  email: shape.noted(shape.string, 'The API email.'),
  full_name: shape.string,
  date_joined: shape.noted(shape.string, 'ISO 8601, in UTC.'),
  is_owner: shape.boolean,
  is_admin: shape.noted(shape.boolean, 'Also true for owners.'),
  is_guest: shape.boolean,
  is_bot: shape.boolean,
  is_system_bot: shape.maybe(shape.always(true)),
  bot_type: shape.noted(
    shape.nullable(shape.choice(1, 2, 3, 4)),
    '1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded; null for people.',
  ),
  bot_owner_id: shape.nullable(shape.integer),
  role,
  timezone: shape.noted(shape.string, 'An IANA time zone name, or empty.'),
  avatar_url: shape.noted(shape.string, 'Relative to the server. Never null.'),
  avatar_version: shape.noted(shape.integer, 'Increases whenever the avatar changes.'),
  profile_data: shape.maybe(
    shape.noted(
      shape.record(shape.named('ProfileValue', profileValue)),
      'The values of custom profile fields, by field ID; only with `include_custom_profile_fields`.',
    ),
  ),
}

export const ownUserMembers = { ...known, is_active: shape.boolean }

/** @source Zulip API, "Get a user" */
export const userShape = shape.named('User', ownUserMembers)

/** A user in a list of the register reply, where the list says whether the user is active. */
const registeredUser = shape.named('RegisteredUser', known)

export const registeredUsersMembers = {
  realm_users: shape.noted(shape.list(registeredUser), 'The active users.'),
  realm_non_active_users: shape.list(registeredUser),
  cross_realm_bots: shape.noted(shape.list(userShape), 'The system bots.'),
}

export const ownStateMembers = {
  user_id: shape.integer,
  email: shape.string,
  delivery_email: shape.string,
  full_name: shape.string,
  avatar_source: shape.choice('G', 'U'),
  avatar_url: shape.string,
  avatar_url_medium: shape.string,
  is_owner: shape.boolean,
  is_admin: shape.boolean,
  is_moderator: shape.noted(shape.boolean, 'Also true for higher roles.'),
  is_guest: shape.boolean,
  ...shape.each(
    [
      'can_create_streams',
      'can_create_public_streams',
      'can_create_private_streams',
      'can_create_web_public_streams',
      'can_subscribe_other_users',
      'can_invite_others_to_realm',
    ],
    shape.boolean,
  ),
}

const settings = Object.fromEntries(
  Object.entries(userSettingRules).map(([name, { schema }]) => [name, schema]),
)
const { allow_private_data_export: _, ...defaults } = settings

const soundChoices = {
  available_notification_sounds: shape.list(shape.choice(...notificationSounds)),
}
const emojisetChoices = {
  emojiset_choices: shape.list(shape.named('Emojiset', { key: shape.string, text: shape.string })),
}

export const userSettingsShape = shape.named('UserSettings', {
  ...settings,
  timezone: shape.string,
  ...soundChoices,
  ...emojisetChoices,
})

export const userDefaultsShape = shape.named('UserSettingsDefaults', {
  ...defaults,
  ...soundChoices,
  ...emojisetChoices,
})

const picked = (names: readonly string[]) =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)))

export const displaySettingMembers = {
  ...picked(displaySettingNames),
  timezone: shape.string,
  ...emojisetChoices,
}

export const notificationSettingMembers = { ...picked(notificationSettingNames), ...soundChoices }

const languageName = shape.maybe(
  shape.noted(shape.string, 'For `default_language` only: its name in English.'),
)

/** @source Zulip API, "Get events", type "realm_export_consent" (feature level 312) */
export const exportConsentEventShape = shape.event(
  'RealmExportConsentEvent',
  'realm_export_consent',
  { user_id: shape.integer, consented: shape.boolean },
)

export const userDefaultsEventShape = shape.event(
  'UserSettingsDefaultsEvent',
  'realm_user_settings_defaults',
  {
    op: shape.choice('update'),
    property: shape.choice(...Object.keys(userDefaultsShape.entries)),
    value: shape.noted(shape.anything, 'The new value, as in `realm_user_settings_defaults`.'),
  },
)

export const userEventShapes = [
  shape.event('UserAddEvent', 'realm_user', { op: shape.choice('add'), person: userShape }),
  shape.event('UserRemoveEvent', 'realm_user', {
    op: shape.choice('remove'),
    person: shape.object({
      user_id: shape.integer,
      full_name: shape.noted(shape.string, 'Deprecated: a placeholder.'),
    }),
  }),
  shape.event('UserUpdateEvent', 'realm_user', {
    op: shape.choice('update'),
    person: shape.noted(
      shape.named('UserChanges', {
        user_id: shape.integer,
        ...shape.optionals({
          avatar_source: shape.choice('G', 'U'),
          avatar_url: shape.string,
          avatar_url_medium: shape.string,
          avatar_version: shape.integer,
          bot_owner_id: shape.nullable(shape.integer),
          custom_profile_field: shape.named('ProfileValueChange', {
            id: shape.integer,
            value: shape.nullable(shape.string),
            rendered_value: profileValue.rendered_value,
          }),
          delivery_email: shape.nullable(shape.string),
          email: shape.string,
          full_name: shape.string,
          is_active: shape.boolean,
          new_email: shape.noted(shape.string, 'A new API email.'),
          role,
          timezone: shape.string,
        }),
      }),
      'The ID, and the changed members.',
    ),
  }),
  shape.event('UserSettingsEvent', 'user_settings', {
    op: shape.choice('update'),
    property: shape.choice(...Object.keys(settings), 'timezone'),
    value: shape.noted(shape.anything, 'The new value, as in `user_settings`.'),
    language_name: languageName,
  }),
  shape.event('DisplaySettingsEvent', 'update_display_settings', {
    user: shape.noted(shape.string, 'The API email.'),
    setting_name: shape.choice(...displaySettingNames, 'timezone'),
    setting: shape.noted(shape.anything, 'The new value, as in `user_settings`.'),
    language_name: languageName,
  }),
  shape.event('GlobalNotificationsEvent', 'update_global_notifications', {
    user: shape.noted(shape.string, 'The API email.'),
    notification_name: shape.choice(...notificationSettingNames),
    setting: shape.noted(shape.anything, 'The new value, as in `user_settings`.'),
  }),
]
