import { accessChannel } from '#features/foundation/channels/access.ts'
import { updateGroupSetting } from '#features/foundation/groups/setting-values.actions.ts'
import { groupSettingValue } from '#features/foundation/groups/setting-values.queries.ts'
import { listProviders } from '#features/foundation/identity-providers/queries.ts'
import {
  changedPolicies,
  legacyPolicies,
} from '#features/foundation/permissions/legacy-policies.queries.ts'
import { realmGroupSetting } from '#features/foundation/permissions/membership.queries.ts'
import { requireAdministrator, requireOwner } from '#features/foundation/permissions/rules.ts'
import type { GroupSettingUpdate } from '#features/foundation/permissions/setting-values.rules.ts'
import { permissionRules, type RealmPermission } from '#features/foundation/permissions/table.ts'
import { availableCallProviders } from '#features/foundation/realm/choices.ts'
import { realmUpdateEvent } from '#features/foundation/realm/events.ts'
import { limits, requireLength } from '#features/foundation/realm/limits.ts'
import { requireRealm, updateRealm } from '#features/foundation/realm/queries.ts'
import { noteRetentionChange } from '#features/foundation/realm/retention-changes.queries.ts'
import {
  realmSetting,
  setRealmGroupSetting,
  setRealmSetting,
} from '#features/foundation/realm/settings.queries.ts'
import {
  isChannelSetting,
  type RealmSettingName,
  type RealmSettingValue,
} from '#features/foundation/realm/settings.ts'
import { userDefaultsEvent } from '#features/foundation/users/defaults.events.ts'
import { listUsers, roles } from '#features/foundation/users/queries.ts'
import { setUserDefault, userDefaults } from '#features/foundation/users/settings.queries.ts'
import type { UserDefaultName, UserDefaults } from '#features/foundation/users/settings.ts'
import { trackFullMembers } from '#features/people/group-administration/full-members.actions.ts'
import { badRequest, checking } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { authenticationMethods } from './authentication.json.ts'
import { ownerOnly } from './rules.ts'

export interface RealmChanges {
  readonly name?: string | undefined
  /** Markdown. */
  readonly description?: string | undefined
  /** Values that the settings' schemas accepted. */
  readonly settings: ReadonlyMap<RealmSettingName, unknown>
  readonly permissions: ReadonlyMap<RealmPermission, GroupSettingUpdate>
}

/**
 * Changes the organization and emits all changes to everyone in one event, including deprecated
 * policies that follow from them.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an administrator, or for some settings not an
 * owner
 * @throws EXPECTATION_MISMATCH a permission's `old` is not its current value
 * @throws BAD_REQUEST a forbidden value, an unknown channel, an empty or too long name
 * @source Zulip API, "Update organization settings"
 */
export function changeRealm(tx: Tx, caller: Caller, changes: RealmChanges): void {
  const { user } = caller
  requireAdministrator(user)
  const requested = [...changes.settings.keys(), ...changes.permissions.keys()]
  if (requested.some((name) => ownerOnly.has(name))) requireOwner(user)
  const before = legacyPolicies(tx)
  const fullMembers = changes.settings.has('waiting_period_threshold') && trackFullMembers(tx)
  const data = {
    ...changeProfile(tx, changes),
    ...changeSettings(tx, caller, changes.settings),
    ...changePermissions(tx, changes.permissions),
  }
  if (Object.keys(data).length === 0) return
  if ('password_auth_enabled' in data) {
    Object.assign(data, { authentication_methods: authenticationMethods(tx) })
  }
  const event = realmUpdateEvent({ ...data, ...changedPolicies(before, legacyPolicies(tx)) })
  tx.emit(event, () => true)
  if (fullMembers && 'waiting_period_threshold' in data) fullMembers.emitChanges()
  if ('can_access_all_users_group' in data) restartGuests(tx, caller)
  if ('message_retention_days' in data) noteRetentionChange(tx)
}

function changeProfile(
  tx: Tx,
  changes: RealmChanges,
): Partial<Record<'name' | 'description', string>> {
  const current = requireRealm(tx)
  const data: Partial<Record<'name' | 'description', string>> = {}
  const name = changes.name?.trim()
  if (name === '')
    throw badRequest(sentSentence("The organization's name can't be blank."), { parameter: 'name' })
  if (name !== undefined && name !== current.name) {
    requireLength('name', name, limits.realmNameLength)
    data.name = name
  }
  const { description } = changes
  if (description !== undefined && description !== current.description) {
    requireLength('description', description, limits.realmDescriptionLength)
    data.description = description
  }
  if (Object.keys(data).length > 0) updateRealm(tx, data)
  return data
}

function changeSettings(
  tx: Tx,
  caller: Caller,
  settings: RealmChanges['settings'],
): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  for (const [name, value] of settings) {
    if (value === realmSetting(tx, name)) continue
    requirePossible(tx, caller, name, value)
    setRealmSetting(tx, name, value as RealmSettingValue<typeof name>)
    data[name] = value
  }
  // Settings may change when jobs are due, as for digests.
  if (Object.keys(data).length > 0) wakeJobs(tx)
  return data
}

/** @throws BAD_REQUEST a value that its schema allows but the current state does not */
function requirePossible(read: Read, caller: Caller, name: RealmSettingName, value: unknown): void {
  if (isChannelSetting(name) && value !== -1) {
    const channel = checking(name, () => accessChannel(read, caller, Number(value)))
    if (channel.isArchived)
      throw badRequest(sentSentence('Invalid channel ID'), { parameter: name })
    if (name === 'moderation_request_channel_id' && !channel.isPrivate) {
      throw badRequest(sentSentence('Moderation request channel must be private.'), {
        parameter: 'moderation_request_channel_id',
      })
    }
  }
  if (name === 'empty_topic_display_name' && String(value).trim() === '') {
    throw badRequest(sentSentence("empty_topic_display_name can't be blank."), {
      parameter: 'empty_topic_display_name',
    })
  }
  if (name === 'message_retention_days' && value === 0) {
    throw badRequest(sentSentence("Bad value for 'message_retention_days': 0"), {
      parameter: 'message_retention_days',
    })
  }
  if (name === 'video_chat_provider') {
    const available = Object.values(availableCallProviders(read.config))
    if (!available.some(({ id }) => id === value))
      throw badRequest(sentSentence('Invalid {name} {value}', { name, value: String(value) }), {
        parameter: name,
      })
  }
  if (name === 'password_auth_enabled' && !value) requireOtherWay(read)
  if (name === 'enable_spectator_access' && value && !read.config.webPublicChannels) {
    throw badRequest(sentSentence('Web-public channels are not enabled on this server.'), {
      parameter: 'enable_spectator_access',
    })
  }
}

/** @throws BAD_REQUEST nobody could log in without a password */
function requireOtherWay(read: Read): void {
  if (listProviders(read).length > 0) return
  throw badRequest(sentSentence('At least one authentication method must be enabled.'), {
    parameter: 'password_auth_enabled',
  })
}

function changePermissions(
  tx: Tx,
  permissions: RealmChanges['permissions'],
): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  for (const [setting, update] of permissions) {
    const current = realmGroupSetting(tx, setting)
    const before = groupSettingValue(tx, current)
    updateGroupSetting(tx, {
      setting,
      rule: permissionRules.realm[setting],
      current,
      update,
      save: (groupId) => setRealmGroupSetting(tx, setting, groupId),
    })
    const now = groupSettingValue(tx, realmGroupSetting(tx, setting))
    if (JSON.stringify(now) !== JSON.stringify(before)) data[setting] = now
  }
  return data
}

/** Closes all event queues of guests, so that clients reload the users whom guests can see. */
function restartGuests(tx: Tx, { server }: Caller): void {
  const guests = listUsers(tx).filter(({ role }) => role === roles.guest)
  for (const { id } of guests) server.queues.closeAllOf(tx, id)
}

/**
 * Changes the default settings of users who join from now on, and emits each change to everyone.
 *
 * @throws UNAUTHORIZED_PRINCIPAL the caller is not an administrator
 * @source Zulip API, "Update realm-level defaults of user settings"
 */
export function changeUserDefaults(
  tx: Tx,
  caller: Pick<Caller, 'user'>,
  settings: { readonly [N in UserDefaultName]?: UserDefaults[N] | undefined },
): void {
  requireAdministrator(caller.user)
  const before = userDefaults(tx)
  for (const name of Object.keys(settings) as UserDefaultName[]) {
    const value = settings[name]
    if (value === undefined || value === before[name]) continue
    setUserDefault(tx, name, value)
    tx.emit(userDefaultsEvent(name, value), () => true)
  }
}
