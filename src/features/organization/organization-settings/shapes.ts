import {
  permissionShapes,
  supportedPermissionShape,
} from '#features/foundation/permissions/shapes.ts'
import { extendedSettings, realmSettingRules } from '#features/foundation/realm/settings.ts'
import { realmDeactivatedEventShape } from '#features/foundation/realm/shapes.ts'
import { userDefaultsEventShape } from '#features/foundation/users/shapes.ts'
import { gifProviders } from '#features/integrations/gifs/provider.ts'
import type { Members } from '#platform/shape.ts'
import * as shape from '#platform/shape.ts'

export const versionMembers = {
  zulip_version: shape.noted(shape.string, 'The Zulip release whose API the server implements.'),
  zulip_merge_base: shape.string,
  zulip_feature_level: shape.noted(
    shape.integer,
    'The API feature level, by which clients decide what to use.',
  ),
}

const settings = Object.fromEntries(
  Object.entries(realmSettingRules).map(([name, { schema }]) => [
    name,
    extendedSettings.has(name) ? shape.extended(schema, extendedSettings.get(name)) : schema,
  ]),
)

const prefixed = <M extends object>(members: M) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [`realm_${name}`, member]))

const idAndName = shape.named('NumberedChoice', { id: shape.integer, name: shape.string })

const limits = {
  ...shape.each(
    [
      'max_message_length',
      'max_topic_length',
      'max_stream_name_length',
      'max_stream_description_length',
      'max_channel_folder_name_length',
      'max_channel_folder_description_length',
      'max_reminder_note_length',
    ],
    shape.noted(shape.integer, 'In Unicode code points.'),
  ),
  max_bulk_new_subscription_messages: shape.integer,
  ...shape.each(
    [
      'max_file_upload_size_mib',
      'max_avatar_file_size_mib',
      'max_icon_file_size_mib',
      'max_logo_file_size_mib',
    ],
    shape.integer,
  ),
  realm_upload_quota_mib: shape.nullable(shape.integer),
  password_min_length: shape.integer,
  password_max_length: shape.integer,
  password_min_guesses: shape.integer,
}

const server = {
  server_generation: shape.noted(shape.integer, 'Changes at each start of the server.'),
  development_environment: shape.boolean,
  server_emoji_data_url: shape.string,
  server_jitsi_server_url: shape.nullable(shape.string),
  server_presence_ping_interval_seconds: shape.integer,
  server_presence_offline_threshold_seconds: shape.integer,
  server_typing_started_expiry_period_milliseconds: shape.integer,
  server_typing_stopped_wait_period_milliseconds: shape.integer,
  server_typing_started_wait_period_milliseconds: shape.integer,
  server_report_message_types: shape.extended(
    shape.list(shape.named('ReportType', { key: shape.string, name: shape.string })),
    435,
  ),
  server_web_public_streams_enabled: shape.boolean,
  server_can_send_mail: shape.extended(
    shape.noted(shape.boolean, 'Whether the server can send mail.'),
  ),
  server_takes_mail: shape.extended(
    shape.noted(
      shape.boolean,
      'Whether channels have email addresses and users can reply to mails by mail.',
    ),
  ),
  server_owners_operate: shape.extended(
    shape.noted(
      shape.boolean,
      'Whether owners may use `GET /server/status` and related endpoints.',
    ),
  ),
  server_data_id: shape.extended(
    shape.noted(
      shape.nullable(shape.string),
      'Another one once a backup was restored: IDs that a client knows may then be those of other objects, and what is gone was not deleted. Null for an organization from before there was one.',
    ),
  ),
  server_nextcloud_url: shape.extended(
    shape.noted(
      shape.nullable(shape.string),
      'The Nextcloud whose rooms `POST /calls/nextcloud_talk/create` makes, without a slash at its end.',
    ),
  ),
  server_constructor_groups_url: shape.extended(
    shape.noted(
      shape.nullable(shape.string),
      'Where the rooms that `POST /calls/constructorgroups/create` makes are, without a slash at its end.',
    ),
  ),
  server_gif_provider: shape.extended(
    shape.noted(
      shape.nullable(shape.choice(...gifProviders)),
      'Who finds what `GET /gifs` answers, to be named beside it; null if there are no GIFs.',
    ),
  ),
  server_zoom_url: shape.extended(
    shape.noted(
      shape.nullable(shape.string),
      'Where Zoom is, without a slash at its end: meetings have links there, or to a host below it.',
    ),
  ),
  server_min_deactivated_realm_deletion_days: shape.nullable(shape.integer),
  server_max_deactivated_realm_deletion_days: shape.nullable(shape.integer),
  ...shape.each(
    [
      'server_avatar_changes_disabled',
      'server_name_changes_disabled',
      'server_can_summarize_topics',
      'server_inline_image_preview',
      'server_inline_url_embed_preview',
      'server_needs_upgrade',
      'settings_send_digest_emails',
    ],
    shape.boolean,
  ),
  server_thumbnail_formats: shape.list(
    shape.named('ThumbnailFormat', {
      name: shape.string,
      max_width: shape.integer,
      max_height: shape.integer,
      format: shape.string,
      animated: shape.boolean,
    }),
  ),
  server_supported_permission_settings: supportedPermissionShape,
}

const deprecated = {
  realm_create_public_stream_policy: shape.choice(1, 2, 3, 4),
  realm_create_private_stream_policy: shape.choice(1, 2, 3, 4),
  realm_create_web_public_stream_policy: shape.choice(2, 4, 6, 7),
  realm_wildcard_mention_policy: shape.choice(1, 2, 3, 5, 6, 7),
  realm_allow_edit_history: shape.boolean,
  realm_mandatory_topics: shape.boolean,
  realm_is_zephyr_mirror_realm: shape.always(false),
}

export const loginMethodsShape = shape.noted(
  shape.record(shape.boolean),
  'Whether each log-in method is available.',
)

const authenticationMethods = shape.record(
  shape.named('AuthenticationMethod', {
    enabled: shape.boolean,
    available: shape.boolean,
    unavailable_reason: shape.maybe(shape.string),
  }),
)

/** @source Zulip API, "Register an event queue" */
export const realmMembers = {
  ...limits,
  ...server,
  ...prefixed(settings),
  ...prefixed(permissionShapes('realm')),
  ...Object.fromEntries(
    Object.entries(deprecated).map(([name, member]) => [
      name,
      shape.noted(
        member,
        'Deprecated: for clients that do not support the settings that replaced it.',
      ),
    ]),
  ),
  giphy_rating_options: shape.record(idAndName),
  realm_default_external_accounts: shape.record(
    shape.named('ExternalAccount', {
      name: shape.string,
      text: shape.string,
      hint: shape.string,
      url_pattern: shape.noted(
        shape.string,
        'The URL of a profile, with `%(username)s` in place of the account name.',
      ),
    }),
  ),
  realm_push_notifications_enabled: shape.boolean,
  realm_push_notifications_enabled_end_timestamp: shape.nullable(shape.timestamp),
  realm_plan_type: shape.integer,
  zulip_plan_is_not_limited: shape.boolean,
  upgrade_text_for_wide_organization_logo: shape.string,
  realm_name: shape.string,
  realm_description: shape.noted(shape.string, 'The Markdown source.'),
  realm_date_created: shape.timestamp,
  realm_url: shape.string,
  realm_uri: shape.noted(shape.string, 'Deprecated: the same as `realm_url`.'),
  realm_icon_url: shape.string,
  realm_icon_source: shape.choice('G', 'U'),
  realm_logo_url: shape.string,
  realm_logo_source: shape.choice('D', 'U'),
  realm_night_logo_url: shape.string,
  realm_night_logo_source: shape.choice('D', 'U'),
  realm_authentication_methods: authenticationMethods,
  realm_email_auth_enabled: shape.boolean,
  realm_available_video_chat_providers: shape.record(idAndName),
  jitsi_server_url: shape.noted(
    shape.string,
    "Deprecated: the organization's own Jitsi server, or the default one.",
  ),
  realm_bot_domain: shape.string,
}

/** The same members by names without `realm_`. */
function plainNames(members: Members) {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name.replace(/^realm_/, ''), member]),
  )
}

/** The members of `realm`/`update_dict` events. */
const changes = {
  ...settings,
  ...permissionShapes('realm'),
  ...plainNames(deprecated),
  name: shape.string,
  description: shape.string,
  icon_url: shape.string,
  icon_source: shape.choice('G', 'U'),
  logo_url: shape.string,
  logo_source: shape.choice('D', 'U'),
  night_logo_url: shape.string,
  night_logo_source: shape.choice('D', 'U'),
  authentication_methods: authenticationMethods,
  max_file_upload_size_mib: shape.number,
  upload_quota_mib: shape.nullable(shape.integer),
}

export const realmEventShapes = [
  shape.event('RealmUpdateDictEvent', 'realm', {
    op: shape.choice('update_dict'),
    property: shape.noted(shape.choice('default'), 'Constant, for old clients.'),
    data: shape.noted(
      shape.named('RealmChanges', shape.optionals(changes)),
      'The new values, under their names without `realm_`.',
    ),
  }),
  shape.event('RestartEvent', 'restart', {
    ...versionMembers,
    server_generation: shape.noted(
      shape.timestamp,
      'When the server started, in seconds since the epoch.',
    ),
  }),
  realmDeactivatedEventShape,
  userDefaultsEventShape,
]

/** How a setting is declared, for the forms of clients. */
const settingDeclarationShape = shape.named('SettingDeclaration', {
  kind: shape.choice('boolean', 'integer', 'string', 'choice', 'group_setting'),
  is_nullable: shape.noted(shape.boolean, 'Whether null is also a valid value.'),
  default: shape.noted(
    shape.nullable(shape.either(shape.boolean, shape.number, shape.string)),
    'For a group setting: the name of a system group, or `channel_creator` or `group_creator`.',
  ),
  options: shape.maybe(
    shape.noted(shape.list(shape.either(shape.string, shape.number)), 'The values of a choice.'),
  ),
  minimum: shape.maybe(shape.number),
  maximum: shape.maybe(shape.number),
  max_length: shape.maybe(shape.noted(shape.integer, 'In UTF-16 code units.')),
  description: shape.maybe(shape.string),
  editable_by: shape.maybe(
    shape.noted(
      shape.choice('owners', 'administrators'),
      'Who can change a setting of the organization; absent for others.',
    ),
  ),
})
export type SettingDeclaration = shape.Shaped<typeof settingDeclarationShape>

const declarations = shape.record(settingDeclarationShape)

/** The reply of `GET /settings/declarations`. */
export const declarationMembers = {
  user_settings: declarations,
  realm_settings: shape.noted(
    declarations,
    'Plain settings and permissions, by their names in `PATCH /realm`.',
  ),
  channel_permissions: declarations,
  group_permissions: declarations,
}
