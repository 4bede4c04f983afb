import * as v from 'valibot'
import { externalMethods } from '#features/foundation/identity-providers/json.ts'
import { usesPasswords } from '#features/foundation/identity-providers/rules.ts'
import { externalMethodShape } from '#features/foundation/identity-providers/shapes.ts'
import { renderRealmDescription } from '#features/foundation/realm/description.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import { hasWebPublicChannel, requireRealm } from '#features/foundation/realm/queries.ts'
import { allowsSpectators } from '#features/foundation/realm/spectators.queries.ts'
import { arePhonesNotified } from '#features/notifications/phone-push/queries.ts'
import { endpoint, publicEndpoint } from '#platform/http/endpoint.ts'
import { described, json, optional, tidied, withDefault, word } from '#platform/http/params.ts'
import { once } from '#platform/memo.ts'
import * as shape from '#platform/shape.ts'
import type { Read } from '#platform/store/store.ts'
import { changeRealm, changeUserDefaults } from './actions.ts'
import { browserMethods, loginMethods } from './authentication.json.ts'
import * as deactivation from './deactivation.actions.ts'
import { plainParams, realmPermissionParams, splitChanges, userDefaultParams } from './params.ts'
import { iconUrl } from './pictures/json.ts'
import { versionFacts } from './server-facts.json.ts'
import { declarationMembers, loginMethodsShape, versionMembers } from './shapes.ts'

/**
 * The server's version, its organization and the ways to log in. Clients request it before login.
 *
 * @source Zulip API, "Get server settings"
 */
export const getServerSettings = publicEndpoint({
  method: 'get',
  path: '/server_settings',
  alwaysOpen: true,
  summary: 'Get the data that clients need before logging in.',
  params: {},
  reply: {
    ...versionMembers,
    authentication_methods: loginMethodsShape,
    external_authentication_methods: shape.noted(
      shape.list(externalMethodShape),
      'The log-in methods for which clients open a browser, in the order of their buttons.',
    ),
    ...shape.each(
      [
        'email_auth_enabled',
        'require_email_format_usernames',
        'push_notifications_enabled',
        'is_incompatible',
        'realm_web_public_access_enabled',
      ],
      shape.boolean,
    ),
    realm_url: shape.string,
    realm_uri: shape.noted(shape.string, 'Deprecated: the same as `realm_url`.'),
    realm_name: shape.string,
    realm_icon: shape.noted(shape.string, 'The URL of an image.'),
    realm_description: shape.noted(shape.string, 'HTML.'),
  },
  run: (_caller, _p, { server, store, origin }) => ({
    ...versionFacts(server),
    authentication_methods: loginMethods(store),
    external_authentication_methods: [...externalMethods(store), ...browserMethods(store)],
    email_auth_enabled: usesPasswords(store),
    require_email_format_usernames: true,
    push_notifications_enabled: arePhonesNotified(store),
    // All client versions are supported.
    is_incompatible: false,
    ...realmFacts(store, origin),
  }),
})

/**
 * Deactivates the organization.
 *
 * @source Zulip API, "API changelog" (feature level 332)
 */
export const deactivateRealm = endpoint({
  method: 'post',
  path: '/realm/deactivate',
  summary: 'Deactivate the organization. Requires an owner.',
  description: 'Only the operator can reactivate it, with `parley reactivate`.',
  params: {
    deletion_delay_days: withDefault(
      described(
        json(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36_500)))),
        'The number of days until all of its data is deleted; null: never.',
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
 * Changes the organization's name, description, plain settings and permission settings.
 *
 * @source Zulip API, "Update organization settings"
 */
export const updateRealm = endpoint({
  method: 'patch',
  path: '/realm',
  summary: 'Change the organization: name, description, settings and permissions.',
  params: {
    name: optional(tidied(word(longText), limits.realmNameLength)),
    description: optional(tidied(word(longText), limits.realmDescriptionLength)),
    ...plainParams,
    ...realmPermissionParams,
  },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'EXPECTATION_MISMATCH'],
  reply: {},
  run: (caller, { name, description, ...settings }) =>
    caller.store.write((tx) =>
      changeRealm(tx, caller, { name, description, ...splitChanges(settings) }),
    ),
})

/** @source Zulip API, "Update realm-level defaults of user settings" */
export const updateUserDefaults = endpoint({
  method: 'patch',
  path: '/realm/user_settings_defaults',
  summary: 'Change the default settings of new users.',
  params: userDefaultParams,
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, settings) => caller.store.write((tx) => changeUserDefaults(tx, caller, settings)),
})

/** The declarations never change while the server runs; what describes them is loaded with the first. */
const declarations = once(async () =>
  (await import('./declarations.json.ts')).settingDeclarations(),
)

/** The data that a client needs for forms of the settings. An endpoint of Parley's own. */
export const getSettingDeclarations = endpoint({
  method: 'get',
  path: '/settings/declarations',
  summary: 'List all settings with their kinds, limits and defaults.',
  description:
    'Not part of the Zulip API. The values are in the reply of `POST /register`; the groups that a permission allows are in its `server_supported_permission_settings`.',
  params: {},
  reply: declarationMembers,
  run: () => declarations(),
})

function realmFacts(read: Read, origin: string) {
  const { name, description } = requireRealm(read)
  return {
    realm_url: origin,
    // The mobile app still reads the older name.
    realm_uri: origin,
    realm_name: name,
    realm_icon: iconUrl(read),
    realm_description: renderRealmDescription(description, origin),
    realm_web_public_access_enabled: allowsSpectators(read) && hasWebPublicChannel(read),
  }
}
