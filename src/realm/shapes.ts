import { permissionShapes, supportedPermissionShape } from '#permissions/shapes.ts'
import {
  always,
  anything,
  boolean,
  choice,
  each,
  event,
  integer,
  list,
  type Members,
  maybe,
  named,
  noted,
  nullable,
  number,
  optionals,
  record,
  string,
  timestamp,
} from '#shape.ts'
import { userDefaultsShape } from '#users/shapes.ts'
import { realmSettingRules } from './settings.ts'

export const versionMembers = {
  zulip_version: noted(string, 'The release of the API that is spoken.'),
  zulip_merge_base: string,
  zulip_feature_level: noted(integer, 'Which features of the API there are: clients branch on it.'),
}

const settings = Object.fromEntries(
  Object.entries(realmSettingRules).map(([name, { schema }]) => [name, schema]),
)

const prefixed = <M extends object>(members: M) =>
  Object.fromEntries(Object.entries(members).map(([name, shape]) => [`realm_${name}`, shape]))

const idAndName = named('NumberedChoice', { id: integer, name: string })

const limits = {
  ...each(
    [
      'max_message_length',
      'max_topic_length',
      'max_stream_name_length',
      'max_stream_description_length',
      'max_channel_folder_name_length',
      'max_channel_folder_description_length',
      'max_reminder_note_length',
    ],
    noted(integer, 'In Unicode code points.'),
  ),
  max_bulk_new_subscription_messages: integer,
  ...each(
    [
      'max_file_upload_size_mib',
      'max_avatar_file_size_mib',
      'max_icon_file_size_mib',
      'max_logo_file_size_mib',
    ],
    integer,
  ),
  realm_upload_quota_mib: nullable(integer),
  password_min_length: integer,
  password_max_length: integer,
  password_min_guesses: integer,
}

const server = {
  server_generation: noted(integer, 'Changes when the server starts.'),
  development_environment: boolean,
  server_emoji_data_url: string,
  server_jitsi_server_url: nullable(string),
  server_presence_ping_interval_seconds: integer,
  server_presence_offline_threshold_seconds: integer,
  server_typing_started_expiry_period_milliseconds: integer,
  server_typing_stopped_wait_period_milliseconds: integer,
  server_typing_started_wait_period_milliseconds: integer,
  server_report_message_types: list(named('ReportType', { key: string, name: string })),
  server_web_public_streams_enabled: boolean,
  server_min_deactivated_realm_deletion_days: nullable(integer),
  server_max_deactivated_realm_deletion_days: nullable(integer),
  ...each(
    [
      'server_avatar_changes_disabled',
      'server_name_changes_disabled',
      'server_can_summarize_topics',
      'server_inline_image_preview',
      'server_inline_url_embed_preview',
      'server_needs_upgrade',
      'settings_send_digest_emails',
    ],
    boolean,
  ),
  server_thumbnail_formats: list(
    named('ThumbnailFormat', {
      name: string,
      max_width: integer,
      max_height: integer,
      format: string,
      animated: boolean,
    }),
  ),
  server_supported_permission_settings: supportedPermissionShape,
}

const old = {
  realm_create_public_stream_policy: choice(1, 2, 3, 4),
  realm_create_private_stream_policy: choice(1, 2, 3, 4),
  realm_create_web_public_stream_policy: choice(2, 4, 6, 7),
  realm_wildcard_mention_policy: choice(1, 2, 3, 5, 6, 7),
  realm_allow_edit_history: boolean,
  realm_mandatory_topics: boolean,
  realm_is_zephyr_mirror_realm: always(false),
}

export const loginMethodsShape = noted(record(boolean), 'Whether there is each way to log in.')

const authenticationMethods = record(
  named('AuthenticationMethod', {
    enabled: boolean,
    available: boolean,
    unavailable_reason: maybe(string),
  }),
)

/** @source the API description of `POST /register`, `realm`; api-changes §5 */
export const realmMembers = {
  ...limits,
  ...server,
  ...prefixed(settings),
  ...prefixed(permissionShapes('realm')),
  ...Object.fromEntries(
    Object.entries(old).map(([name, shape]) => [
      name,
      noted(shape, 'Deprecated: for clients that do not know the settings that replaced it.'),
    ]),
  ),
  giphy_rating_options: record(idAndName),
  realm_default_external_accounts: record(
    named('ExternalAccount', {
      name: string,
      text: string,
      hint: string,
      url_pattern: noted(string, 'The address of a profile, with `%(username)s` in it.'),
    }),
  ),
  realm_push_notifications_enabled: boolean,
  realm_push_notifications_enabled_end_timestamp: nullable(timestamp),
  realm_plan_type: integer,
  zulip_plan_is_not_limited: boolean,
  upgrade_text_for_wide_organization_logo: string,
  realm_name: string,
  realm_description: noted(string, 'The Markdown source.'),
  realm_date_created: timestamp,
  realm_url: string,
  realm_uri: noted(string, 'Deprecated: the same as `realm_url`.'),
  realm_icon_url: string,
  realm_icon_source: choice('G', 'U'),
  realm_logo_url: string,
  realm_logo_source: choice('D', 'U'),
  realm_night_logo_url: string,
  realm_night_logo_source: choice('D', 'U'),
  realm_authentication_methods: authenticationMethods,
  realm_email_auth_enabled: boolean,
  realm_password_auth_enabled: boolean,
  realm_available_video_chat_providers: record(idAndName),
  jitsi_server_url: noted(string, "Deprecated: the organization's own server, or the usual one."),
  realm_bot_domain: string,
}

/** The same members without `realm_` in front of their names. */
function plainNames(members: Members) {
  return Object.fromEntries(
    Object.entries(members).map(([name, shape]) => [name.replace(/^realm_/, ''), shape]),
  )
}

/** What `PATCH /realm` changes, and the parts of it that events tell. */
const changes = {
  ...settings,
  ...permissionShapes('realm'),
  ...plainNames(old),
  name: string,
  description: string,
  icon_url: string,
  icon_source: choice('G', 'U'),
  logo_url: string,
  logo_source: choice('D', 'U'),
  night_logo_url: string,
  night_logo_source: choice('D', 'U'),
  authentication_methods: authenticationMethods,
  max_file_upload_size_mib: number,
  upload_quota_mib: nullable(integer),
}

export const realmEventShapes = [
  event('RealmUpdateDictEvent', 'realm', {
    op: choice('update_dict'),
    property: noted(choice('default'), 'Always the same; old clients read it.'),
    data: noted(
      named('RealmChanges', optionals(changes)),
      'The new values, under their names without `realm_`.',
    ),
  }),
  event('RestartEvent', 'restart', {
    ...versionMembers,
    server_generation: noted(timestamp, 'When the server started.'),
  }),
  event('RealmDeactivatedEvent', 'realm', { op: choice('deactivated'), realm_id: integer }),
  event('UserSettingsDefaultsEvent', 'realm_user_settings_defaults', {
    op: choice('update'),
    property: choice(...Object.keys(userDefaultsShape.entries)),
    value: noted(anything, 'As `realm_user_settings_defaults` has it.'),
  }),
]
