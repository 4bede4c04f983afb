import { watchGroup } from '#channels/witnesses.ts'
import { seconds } from '#clock.ts'
import { badRequest } from '#errors.ts'
import { groupColumn } from '#permissions/can.ts'
import { systemGroupId } from '#permissions/groups.ts'
import { type GroupPermission, permissionRules } from '#permissions/table.ts'
import { type GroupSettingValue, requireAllowed, storeGroupSetting } from '#permissions/values.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser, type User } from '#users/queries.ts'
import { groupAddEvent, groupMembersEvent } from './events.ts'
import { groupJson, groupPermissions } from './json.ts'
import {
  findGroup,
  findGroupByName,
  type Group,
  insertGroup,
  insertGroupMembers,
  insertSubgroups,
  listGroupsOf,
} from './queries.ts'

export interface NewGroup {
  readonly name: string
  readonly description: string
  readonly memberIds: readonly number[]
  readonly subgroupIds?: readonly number[]
  /** Those that are not to have their default. */
  readonly settings?: Partial<Record<GroupPermission, GroupSettingValue | undefined>>
}

/** The longest name and description of a group, in characters. */
const maxName = 100
const maxDescription = 1024

/**
 * Creates a user group and emits `user_group`/`add` to everybody. Permission is the caller's to
 * ask. Settings start with their defaults: the creator manages the group and adds its members.
 *
 * @throws BAD_REQUEST a name that is taken, unknown members or groups, a setting's forbidden value
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
  const group = insertGroup(tx, {
    name,
    nameKey: name.toLowerCase(),
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

/** @throws BAD_REQUEST empty, too long, like a system group's, or taken by another group */
export function requireName(read: Read, wanted: string, own?: Group): string {
  const name = wanted.trim()
  if (name === '') throw badRequest("User group name can't be empty!")
  if ([...name].length > maxName) {
    throw badRequest(`User group name cannot exceed ${maxName} characters.`)
  }
  if (/^(@|role:|user:|stream:|channel:)/.test(name)) {
    throw badRequest("User group name cannot start with '@', 'role:', 'user:' or 'channel:'.")
  }
  const taken = findGroupByName(read, name)
  if (taken && taken.id !== own?.id) throw badRequest(`User group '${name}' already exists.`)
  return name
}

/** @throws BAD_REQUEST too long */
export function requireDescription(description: string): string {
  if ([...description].length <= maxDescription) return description
  throw badRequest(`description is too long (limit: ${maxDescription} characters)`)
}

/** @throws BAD_REQUEST unknown, deactivated or the server's own users */
export function requireMembers(read: Read, userIds: readonly number[]): number[] {
  const ids = [...new Set(userIds)]
  for (const id of ids) {
    const member = findUser(read, id)
    if (!member?.isActive || member.isSystemBot) throw badRequest(`Invalid user ID: ${id}`)
  }
  return ids
}

/** @throws BAD_REQUEST unknown or deactivated groups */
export function requireSubgroups(read: Read, groupIds: readonly number[]): number[] {
  const ids = [...new Set(groupIds)]
  for (const id of ids) {
    const group = findGroup(read, id)
    if (!group || group.deactivated) throw badRequest(`Invalid user group ID: ${id}`)
  }
  return ids
}

/** Makes users members of a group, and tells everybody. Permission is the caller's to ask. */
export function addMembers(tx: Tx, group: Group, userIds: number[]): void {
  const seen = watchGroup(tx, group.id, () => userIds)
  insertGroupMembers(tx, group.id, userIds)
  tx.emit(groupMembersEvent('add_members', group.id, userIds), () => true)
  seen.tell()
}

function defaultValue(read: Read, creator: User, setting: GroupPermission): GroupSettingValue {
  const group = permissionRules.group[setting].default
  if (group !== 'group_creator') return systemGroupId(read, group)
  return { direct_members: [creator.id], direct_subgroups: [] }
}

/**
 * Tells everybody that a deactivated user is no direct member of any group any more, or is again.
 *
 * @source api-changes §1 (level 303)
 */
export function emitMembershipsOf(tx: Tx, op: 'add_members' | 'remove_members', user: User): void {
  for (const groupId of listGroupsOf(tx, user)) {
    tx.emit(groupMembersEvent(op, groupId, [user.id]), () => true)
  }
}
