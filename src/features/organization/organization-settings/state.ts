import { canAccessContent } from '#features/foundation/channels/access.ts'
import { findChannel } from '#features/foundation/channels/queries.ts'
import { groupSettingValue } from '#features/foundation/groups/setting-values.queries.ts'
import { usesPasswords } from '#features/foundation/identity-providers/rules.ts'
import { legacyPolicies } from '#features/foundation/permissions/legacy-policies.queries.ts'
import { realmGroupSetting } from '#features/foundation/permissions/membership.queries.ts'
import { supportedPermissionSettings } from '#features/foundation/permissions/supported.json.ts'
import { permissionRules, type RealmPermission } from '#features/foundation/permissions/table.ts'
import { availableCallProviders, defaultJitsiServer } from '#features/foundation/realm/choices.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import {
  extendedSettings,
  isChannelSetting,
  type RealmSettingName,
  realmSettingRules,
} from '#features/foundation/realm/settings.ts'
import { isExtended } from '#platform/events/extended.ts'
import {
  publicPart,
  type Spectator,
  type StateOptions,
  type StatePart,
} from '#platform/events/state.ts'
import type { Read } from '#platform/store/store.ts'
import { authenticationMethods } from './authentication.json.ts'
import { pictureJson } from './pictures/json.ts'
import { serverFacts, versionFacts } from './server-facts.json.ts'
import { realmMembers, versionMembers } from './shapes.ts'

export const versionState = publicPart({
  types: [],
  members: versionMembers,
  read: ({ server }) => versionFacts(server),
})

/**
 * The organization and its server.
 *
 * @source Zulip API, "Register an event queue" (feature level 421)
 */
export const realmState = {
  types: ['realm'],
  members: realmMembers,
  read: (caller, options) => everything(caller, options),
  readPublic: (spectator, options) => ({
    ...everything(spectator, options),
    ...internal(spectator.store),
  }),
} satisfies StatePart

function everything({ store, server }: Spectator, { origin, capabilities }: StateOptions) {
  const extended = isExtended({ capabilities })
  return {
    ...serverFacts(store, server, extended),
    ...settings(store, extended),
    ...permissions(store, extended),
    ...legacyPolicies(store),
    ...profile(store, origin),
    realm_authentication_methods: authenticationMethods(store),
    realm_email_auth_enabled: usesPasswords(store),
    realm_available_video_chat_providers: availableCallProviders(server.config),
    jitsi_server_url: realmSetting(store, 'jitsi_server_url') ?? defaultJitsiServer,
    realm_bot_domain: realmSetting(store, 'placeholder_domain'),
    server_supported_permission_settings: supportedPermissionSettings(extended),
    // For a kind of organization that no longer exists; removed at feature level 426.
    realm_is_zephyr_mirror_realm: false,
  }
}

/** The values for spectators of settings that name other channels or are for new users. */
function internal(read: Read): Record<string, unknown> {
  const names = Object.keys(realmSettingRules) as RealmSettingName[]
  const hidden = names.filter((name) => {
    if (!isChannelSetting(name)) return false
    const channel = findChannel(read, Number(realmSetting(read, name)))
    return !channel || !canAccessContent(read, 'spectator', channel)
  })
  return {
    ...Object.fromEntries(hidden.map((name) => [`realm_${name}`, -1])),
    realm_welcome_message_custom_text: '',
  }
}

/** The plain settings, by wire name. */
function settings(read: Read, extended: boolean): Record<string, unknown> {
  const all = Object.keys(realmSettingRules) as RealmSettingName[]
  const names = extended ? all : all.filter((name) => !extendedSettings.has(name))
  return Object.fromEntries(names.map((name) => [`realm_${name}`, realmSetting(read, name)]))
}

/** The permission settings, by wire name. */
function permissions(read: Read, extended: boolean): Record<string, unknown> {
  const all = Object.keys(permissionRules.realm) as RealmPermission[]
  const names = extended ? all : all.filter((name) => !extendedSettings.has(name))
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
