import { trackChannelsOpenedBy } from '#features/foundation/channels/visibility.actions.ts'
import { groupAddEvent, groupMembersEvent } from '#features/foundation/groups/events.ts'
import { groupJson, groupPermissions } from '#features/foundation/groups/json.ts'
import {
  deleteGroupMembers,
  findGroup,
  findGroupByName,
  type Group,
  insertGroup,
  insertGroupMembers,
  insertSubgroups,
  listGroupsOf,
} from '#features/foundation/groups/queries.ts'
import { groupQuota, newGroupQuota } from '#features/foundation/groups/quotas.ts'
import { storeGroupSetting } from '#features/foundation/groups/setting-values.queries.ts'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { groupColumn } from '#features/foundation/permissions/rules.ts'
import {
  type GroupSettingValue,
  requireAllowed,
} from '#features/foundation/permissions/setting-values.rules.ts'
import { type GroupPermission, permissionRules } from '#features/foundation/permissions/table.ts'
import { requirePlainName } from '#features/foundation/realm/names.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { trackStarsOpenedBy } from '#features/messaging/messages/flags/stars.actions.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import { requireRoom, spend } from '#platform/quotas/room.ts'
import { naming, tooLong } from '#platform/sentences.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { tidyName } from '#shared/names.ts'
import { sentSentence } from '#translations/translate.ts'

export interface NewGroup {
  readonly name: string
  readonly description: string
  readonly memberIds: readonly number[]
  readonly subgroupIds?: readonly number[]
  /** The settings that differ from their defaults. */
  readonly settings?: Partial<Record<GroupPermission, GroupSettingValue | undefined>>
}

/** The maximum lengths of a group's name and description, in Unicode code points. */
export const maxName = 100
export const maxDescription = 1024

/** What ends a mention of a group. */
export const groupDelimiters = /\*/

/** How only names of system groups and of other things begin. */
export const reservedGroupNames = /^(@|role:|user:|stream:|channel:)/i

/**
 * Creates a user group and emits `user_group`/`add` to everyone. The caller checks permission. By
 * default the creator manages the group and may add members.
 *
 * @throws BAD_REQUEST an invalid or taken name, unknown members or groups, a forbidden setting;
 *   too many groups
 * @throws RATE_LIMIT_HIT too many new groups
 */
export function createGroup(tx: Tx, creator: User, wanted: NewGroup): Group {
  const name = requireName(tx, wanted.name)
  const memberIds = requireMembers(tx, wanted.memberIds)
  const subgroupIds = requireSubgroups(tx, wanted.subgroupIds ?? [])
  const settings = groupPermissions.map((setting) => {
    const value = wanted.settings?.[setting] ?? defaultValue(tx, creator, setting)
    requireAllowed(tx, setting, permissionRules.group[setting], value)
    return [groupColumn(setting), storeGroupSetting(tx, value)]
  })
  requireRoom(tx, groupQuota, creator)
  spend(tx, newGroupQuota, creator)
  const group = insertGroup(tx, {
    name,
    description: requireDescription(wanted.description),
    creatorId: creator.id,
    dateCreated: seconds(tx.clock),
    ...Object.fromEntries(settings),
  })
  insertGroupMembers(tx, group.id, memberIds)
  insertSubgroups(tx, group.id, subgroupIds)
  tx.emit(groupAddEvent(groupJson(tx, group)), () => true)
  return group
}

const groupName = { what: 'User group name', parameter: 'name' } as const

/** @throws BAD_REQUEST empty, too long, not a name, with a reserved prefix, or another group's */
export function requireName(read: Read, wanted: string, own?: Group): string {
  if (wanted.trim() === '')
    throw badRequest(sentSentence("User group name can't be empty!"), { parameter: 'name' })
  if ([...tidyName(wanted)].length > maxName) {
    throw badRequest(
      sentSentence('User group name cannot exceed {count} characters.', { count: maxName }),
      { parameter: 'name' },
    )
  }
  const name = requirePlainName(groupName, wanted, maxName, groupDelimiters)
  if (reservedGroupNames.test(name)) {
    throw badRequest(
      sentSentence("User group name cannot start with '@', 'role:', 'user:' or 'channel:'."),
      { parameter: 'name' },
    )
  }
  const taken = findGroupByName(read, name)
  if (taken && taken.id !== own?.id)
    throw badRequest(sentSentence("User group '{name}' already exists.", { name }), {
      parameter: 'name',
    })
  return name
}

/** @throws BAD_REQUEST too long */
export function requireDescription(description: string): string {
  if ([...description].length <= maxDescription) return description
  throw badRequest(naming('description', tooLong(maxDescription)), { parameter: 'description' })
}

/** @throws BAD_REQUEST unknown or deactivated users, or system bots */
export function requireMembers(read: Read, userIds: readonly number[]): number[] {
  const ids = [...new Set(userIds)]
  for (const id of ids) {
    const member = findUser(read, id)
    if (!member?.isActive || member.isSystemBot)
      throw badRequest(sentSentence('Invalid user ID: {id}', { id: String(id) }), {
        parameter: 'members',
      })
  }
  return ids
}

/** @throws BAD_REQUEST unknown or deactivated groups */
export function requireSubgroups(read: Read, groupIds: readonly number[]): number[] {
  const ids = [...new Set(groupIds)]
  for (const id of ids) {
    const group = findGroup(read, id)
    if (!group || group.deactivated)
      throw badRequest(sentSentence('Invalid user group ID: {id}', { id: String(id) }), {
        parameter: 'subgroups',
      })
  }
  return ids
}

/** Adds members to a group and emits that to everyone. The caller checks permission. */
export function addMembers(tx: Tx, group: Group, userIds: number[]): void {
  const visibility = trackChannelsOpenedBy(tx, group.id, () => userIds)
  const stars = trackStarsOpenedBy(tx, group.id, () => userIds)
  insertGroupMembers(tx, group.id, userIds)
  tx.emit(groupMembersEvent('add_members', group.id, userIds), () => true)
  visibility.emitChanges()
  stars.emitChanges()
}

/** Removes members from a group and emits that to everyone. The caller checks permission. */
export function removeMembers(tx: Tx, group: Group, userIds: number[]): void {
  const visibility = trackChannelsOpenedBy(tx, group.id, () => userIds)
  const stars = trackStarsOpenedBy(tx, group.id, () => userIds)
  deleteGroupMembers(tx, group.id, userIds)
  tx.emit(groupMembersEvent('remove_members', group.id, userIds), () => true)
  visibility.emitChanges()
  stars.emitChanges()
}

function defaultValue(read: Read, creator: User, setting: GroupPermission): GroupSettingValue {
  const group = permissionRules.group[setting].default
  if (group !== 'group_creator') return systemGroupId(read, group)
  return { direct_members: [creator.id], direct_subgroups: [] }
}

/**
 * Emits to everyone that a deactivated user left their groups, or that a reactivated user joined
 * them again.
 *
 * @source Zulip API, "Get events", type "user_group" (feature level 303)
 */
export function emitMembershipsOf(tx: Tx, op: 'add_members' | 'remove_members', user: User): void {
  for (const groupId of listGroupsOf(tx, user)) {
    tx.emit(groupMembersEvent(op, groupId, [user.id]), () => true)
  }
}
