import type { StatePart } from '#events/state.ts'
import { supportedPermissionSettings } from '#permissions/state.ts'
import { permissionRules, type RealmPermission } from '#permissions/table.ts'
import { groupSettingValue } from '#permissions/values.ts'
import type { Read } from '#store/write.ts'
import { authenticationMethods } from './authentication.ts'
import { defaultJitsiServer, videoCallProviders } from './choices.ts'
import { legacyPolicies } from './legacy-policies.ts'
import { pictureJson } from './pictures/json.ts'
import { requireRealm } from './queries.ts'
import { serverFacts, versionFacts } from './server-facts.ts'
import {
  type RealmSettingName,
  realmGroupSetting,
  realmSetting,
  realmSettingRules,
} from './settings.ts'
import { realmMembers, versionMembers } from './shapes.ts'

export const versionState: StatePart = {
  types: [],
  shape: versionMembers,
  read: ({ server }) => versionFacts(server),
}

/**
 * The organization and its server.
 *
 * @source the API description of `POST /register`, `realm`; api-changes §5, at feature level 421
 */
export const realmState: StatePart = {
  types: ['realm'],
  shape: realmMembers,
  read({ store, server }, { origin }) {
    return {
      ...serverFacts(server),
      ...settings(store),
      ...permissions(store),
      ...legacyPolicies(store),
      ...profile(store, origin),
      realm_authentication_methods: authenticationMethods(server),
      realm_email_auth_enabled: true,
      realm_password_auth_enabled: true,
      realm_available_video_chat_providers: videoCallProviders,
      jitsi_server_url: realmSetting(store, 'jitsi_server_url') ?? defaultJitsiServer,
      realm_bot_domain: realmSetting(store, 'placeholder_domain'),
      server_supported_permission_settings: supportedPermissionSettings,
      // Left over from a kind of organization that nobody has any more; gone at level 426.
      realm_is_zephyr_mirror_realm: false,
    }
  },
}

/** The plain settings, under their wire names. */
function settings(read: Read): Record<string, unknown> {
  const names = Object.keys(realmSettingRules) as RealmSettingName[]
  return Object.fromEntries(names.map((name) => [`realm_${name}`, realmSetting(read, name)]))
}

/** The permissions, each with who holds it. */
function permissions(read: Read): Record<string, unknown> {
  const names = Object.keys(permissionRules.realm) as RealmPermission[]
  return Object.fromEntries(
    names.map((name) => [`realm_${name}`, groupSettingValue(read, realmGroupSetting(read, name))]),
  )
}

/** Name, pictures and addresses. */
function profile(read: Read, origin: string) {
  const { name, description, dateCreated } = requireRealm(read)
  return {
    realm_name: name,
    realm_description: description,
    realm_date_created: dateCreated,
    realm_url: origin,
    realm_uri: origin,
    ...pictures(read),
  }
}

function pictures(read: Read): Record<string, string> {
  const all = (['icon', 'logo', 'night_logo'] as const).map((kind) => pictureJson(read, kind))
  return Object.fromEntries(
    all.flatMap(Object.entries).map(([name, value]) => [`realm_${name}`, value]),
  )
}
