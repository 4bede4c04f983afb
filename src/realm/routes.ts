import * as v from 'valibot'
import type { Context } from '#context.ts'
import { endpoint, publicEndpoint } from '#http/endpoint.ts'
import { described, json, optional, withDefault, word } from '#http/params.ts'
import { anything, boolean, each, list, noted, string } from '#shape.ts'
import { loginMethods } from './authentication.ts'
import * as deactivation from './deactivation.ts'
import { renderRealmDescription } from './description.ts'
import { changeRealm, changeUserDefaults } from './editing.ts'
import { permissionParams, plainParams, splitChanges, userDefaultParams } from './param.ts'
import { iconUrl } from './pictures/json.ts'
import { hasWebPublicChannel, requireRealm } from './queries.ts'
import { versionFacts } from './server-facts.ts'
import { realmSetting } from './settings.ts'
import { loginMethodsShape, versionMembers } from './shapes.ts'

/**
 * What a client shows before anybody logs in: that this is such a server, whose it is and how to
 * log in.
 *
 * @source the API description of `GET /server_settings`; api-changes §3d; clients.md §1
 */
export const getServerSettings = publicEndpoint({
  method: 'get',
  path: '/server_settings',
  summary: 'Get what a client shows before anybody logs in.',
  params: {},
  reply: {
    ...versionMembers,
    authentication_methods: loginMethodsShape,
    external_authentication_methods: noted(list(anything), 'Always empty: there are none.'),
    ...each(
      [
        'email_auth_enabled',
        'require_email_format_usernames',
        'push_notifications_enabled',
        'is_incompatible',
        'realm_web_public_access_enabled',
      ],
      boolean,
    ),
    realm_url: string,
    realm_uri: noted(string, 'Deprecated: the same as `realm_url`.'),
    realm_name: string,
    realm_icon: noted(string, 'The address of a picture.'),
    realm_description: noted(string, 'HTML.'),
  },
  run: (_caller, _p, { server, origin }) => ({
    ...versionFacts(server),
    authentication_methods: loginMethods(server),
    external_authentication_methods: [],
    email_auth_enabled: true,
    require_email_format_usernames: true,
    push_notifications_enabled: false,
    // No version of a client is refused.
    is_incompatible: false,
    ...realmFacts(server, origin),
  }),
})

/**
 * Closes the organization.
 *
 * @source api-changes §2b
 */
export const deactivateRealm = endpoint({
  method: 'post',
  path: '/realm/deactivate',
  summary: 'Close the organization to everybody, as an owner.',
  description: 'Only whoever runs the server can open it again, with `parley reactivate`.',
  params: {
    deletion_delay_days: withDefault(
      described(
        json(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36_500)))),
        'After how many days everything in it is deleted; null: it is kept.',
      ),
      null,
    ),
  },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) => deactivation.deactivateRealm(tx, caller, p.deletion_delay_days)),
})

const longText = 10_000

/**
 * Changes the organization: its name and description, every plain setting, every permission.
 *
 * @source api-changes §3d
 */
export const updateRealm = endpoint({
  method: 'patch',
  path: '/realm',
  summary: 'Change the organization: name, description, settings and permissions.',
  params: {
    name: optional(word(longText)),
    description: optional(word(longText)),
    ...plainParams,
    ...permissionParams,
  },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'EXPECTATION_MISMATCH'],
  reply: {},
  run: (caller, { name, description, ...settings }) =>
    caller.store.write((tx) =>
      changeRealm(tx, caller, { name, description, ...splitChanges(settings) }),
    ),
})

/** @source the API description of `PATCH /realm/user_settings_defaults`; api-changes §7c */
export const updateUserDefaults = endpoint({
  method: 'patch',
  path: '/realm/user_settings_defaults',
  summary: 'Change the settings that new users start with.',
  params: userDefaultParams,
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, settings) => caller.store.write((tx) => changeUserDefaults(tx, caller, settings)),
})

function realmFacts(server: Context, origin: string) {
  const { store, config } = server
  const { name, description } = requireRealm(store)
  return {
    realm_url: origin,
    // zulip-flutter reads the older name still.
    realm_uri: origin,
    realm_name: name,
    realm_icon: iconUrl(store),
    realm_description: renderRealmDescription(description, origin),
    realm_web_public_access_enabled:
      config.webPublicChannels &&
      realmSetting(store, 'enable_spectator_access') &&
      hasWebPublicChannel(store),
  }
}
