import { accessChannel } from '#channels/access.ts'
import { badRequest } from '#errors.ts'
import { watchFullMembers } from '#groups/full-members.ts'
import type { Caller } from '#http/caller.ts'
import { requireAdministrator, requireOwner } from '#permissions/can.ts'
import { permissionRules, type RealmPermission } from '#permissions/table.ts'
import {
  type GroupSettingUpdate,
  groupSettingValue,
  updateGroupSetting,
} from '#permissions/values.ts'
import { restartRetention } from '#retention/progress.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser, listUsers, roles, type User } from '#users/queries.ts'
import {
  setUserDefault,
  type UserDefaultName,
  type UserDefaults,
  userDefaults,
} from '#users/settings.ts'
import { realmUpdateEvent, userDefaultsEvent } from './events.ts'
import { changedPolicies, legacyPolicies } from './legacy-policies.ts'
import { limits, requireLength } from './limits.ts'
import { requireRealm, updateRealm } from './queries.ts'
import {
  type RealmSettingName,
  type RealmSettingValue,
  realmGroupSetting,
  realmSetting,
  setRealmGroupSetting,
  setRealmSetting,
} from './settings.ts'

export interface RealmChanges {
  readonly name?: string | undefined
  /** Markdown. */
  readonly description?: string | undefined
  /** Values that the registry's schemas accepted. */
  readonly settings: ReadonlyMap<RealmSettingName, unknown>
  readonly permissions: ReadonlyMap<RealmPermission, GroupSettingUpdate>
}

/** What decides who comes in, who is in charge and what is kept: administrators may not change it. */
const ownerOnly: ReadonlySet<RealmSettingName | RealmPermission> = new Set([
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'create_multiuse_invite_group',
  'disallow_disposable_email_addresses',
  'emails_restricted_to_domains',
  'invite_required',
  'message_retention_days',
  'waiting_period_threshold',
])

/**
 * Changes the organization, and tells everybody in one event what is different now, the members
 * that newer settings replaced among it.
 *
 * @throws UNAUTHORIZED_PRINCIPAL neither owner nor, for most settings, administrator
 * @throws EXPECTATION_MISMATCH a permission's `old` is not its value
 * @throws BAD_REQUEST what a setting's rule forbids, unknown channels, an empty or too long name
 */
export function changeRealm(tx: Tx, caller: Caller, changes: RealmChanges): void {
  const user = currentUser(tx, caller.user)
  requireAdministrator(user)
  const asked = [...changes.settings.keys(), ...changes.permissions.keys()]
  if (asked.some((name) => ownerOnly.has(name))) requireOwner(user)
  const before = legacyPolicies(tx)
  const fullMembers = changes.settings.has('waiting_period_threshold') && watchFullMembers(tx)
  const data = {
    ...changeProfile(tx, changes),
    ...changeSettings(tx, caller, changes.settings),
    ...changePermissions(tx, changes.permissions),
  }
  if (Object.keys(data).length === 0) return
  const event = realmUpdateEvent({ ...data, ...changedPolicies(before, legacyPolicies(tx)) })
  tx.emit(event, () => true)
  if (fullMembers && 'waiting_period_threshold' in data) fullMembers.tell()
  if ('can_access_all_users_group' in data) restartGuests(tx, caller)
  if ('message_retention_days' in data) restartRetention(tx)
}

function changeProfile(
  tx: Tx,
  changes: RealmChanges,
): Partial<Record<'name' | 'description', string>> {
  const current = requireRealm(tx)
  const data: Partial<Record<'name' | 'description', string>> = {}
  const name = changes.name?.trim()
  if (name === '') throw badRequest("The organization's name can't be blank.")
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
  return data
}

/** @throws BAD_REQUEST a value that is possible as such, but not here and now */
function requirePossible(read: Read, caller: Caller, name: RealmSettingName, value: unknown): void {
  if (/_(channel|stream)_id$/.test(name) && value !== -1) {
    const channel = accessChannel(read, caller, Number(value))
    if (channel.isArchived) throw badRequest('Invalid channel ID')
    if (name === 'moderation_request_channel_id' && !channel.isPrivate) {
      throw badRequest('Moderation request channel must be private.')
    }
  }
  if (name === 'empty_topic_display_name' && String(value).trim() === '') {
    throw badRequest("empty_topic_display_name can't be blank.")
  }
  if (name === 'message_retention_days' && value === 0) {
    throw badRequest("Bad value for 'message_retention_days': 0")
  }
  if (name === 'enable_spectator_access' && value && !caller.server.config.webPublicChannels) {
    throw badRequest('Web-public channels are not enabled on this server.')
  }
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

/** Guests know of other people than before, in everything they hold: they start over. */
function restartGuests(tx: Tx, { server }: Caller): void {
  const guests = listUsers(tx).filter(({ role }) => role === roles.guest)
  tx.afterCommit(() => {
    for (const { id } of guests) server.queues.closeAllOf(id)
  })
}

/**
 * Changes what users who join from now on start with.
 *
 * @throws UNAUTHORIZED_PRINCIPAL
 */
export function changeUserDefaults(
  tx: Tx,
  caller: Pick<Caller, 'user'>,
  settings: { readonly [N in UserDefaultName]?: UserDefaults[N] | undefined },
): void {
  requireAdministrator(currentUser(tx, caller.user))
  const before = userDefaults(tx)
  for (const name of Object.keys(settings) as UserDefaultName[]) {
    const value = settings[name]
    if (value === undefined || value === before[name]) continue
    setUserDefault(tx, name, value)
    tx.emit(userDefaultsEvent(name, value), () => true)
  }
}

function currentUser(read: Read, user: User): User {
  return findUser(read, user.id) ?? user
}
