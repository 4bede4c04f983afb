import { groupSettingValue } from '#features/groups/setting-values.queries.ts'
import { legacyPolicies } from '#features/permissions/legacy-policies.queries.ts'
import { realmGroupSetting } from '#features/permissions/membership.queries.ts'
import { supportedPermissionSettings } from '#features/permissions/supported.json.ts'
import { permissionRules, type RealmPermission } from '#features/permissions/table.ts'
import { defaultJitsiServer, videoCallProviders } from '#features/realm/choices.ts'
import { requireRealm } from '#features/realm/queries.ts'
import { realmSetting } from '#features/realm/settings.queries.ts'
import { type RealmSettingName, realmSettingRules } from '#features/realm/settings.ts'
import type { StatePart } from '#platform/events/state.ts'
import type { Read } from '#platform/store/write.ts'
import { authenticationMethods } from './authentication.json.ts'
import { pictureJson } from './pictures/json.ts'
import { serverFacts, versionFacts } from './server-facts.json.ts'
import { realmMembers, versionMembers } from './shapes.ts'

export const versionState = {
  types: [],
  members: versionMembers,
  read: ({ server }) => versionFacts(server),
} satisfies StatePart

/**
 * The organization and its server.
 *
 * @source Zulip API, "Register an event queue" (feature level 421)
 */
export const realmState = {
  types: ['realm'],
  members: realmMembers,
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
      // For a kind of organization that no longer exists; removed at feature level 426.
      realm_is_zephyr_mirror_realm: false,
    }
  },
} satisfies StatePart

/** The plain settings, by wire name. */
function settings(read: Read): Record<string, unknown> {
  const names = Object.keys(realmSettingRules) as RealmSettingName[]
  return Object.fromEntries(names.map((name) => [`realm_${name}`, realmSetting(read, name)]))
}

/** The permission settings, by wire name. */
function permissions(read: Read): Record<string, unknown> {
  const names = Object.keys(permissionRules.realm) as RealmPermission[]
  return Object.fromEntries(
    names.map((name) => [`realm_${name}`, groupSettingValue(read, realmGroupSetting(read, name))]),
  )
}

/** The organization's name, description, pictures and URLs. */
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
