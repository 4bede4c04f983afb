import { seconds } from '#clock.ts'
import { badRequest } from '#errors.ts'
import { groupColumn } from '#permissions/can.ts'
import { systemGroupId } from '#permissions/groups.ts'
import { type GroupPermission, permissionRules } from '#permissions/table.ts'
import { type GroupSettingValue, storeGroupSetting } from '#permissions/values.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser, type User } from '#users/queries.ts'
import { groupAddEvent, groupMembersEvent } from './events.ts'
import { groupJson, groupPermissions } from './json.ts'
import {
  findGroupByName,
  type Group,
  insertGroup,
  insertGroupMembers,
  listGroupsOf,
} from './queries.ts'

export interface NewGroup {
  readonly name: string
  readonly description: string
  readonly memberIds: readonly number[]
}

/**
 * Creates a user group and emits `user_group`/`add` to everybody. Permission is the caller's to
 * ask. Settings start with their defaults: the creator manages the group and adds its members.
 *
 * @throws BAD_REQUEST a name that is taken, unknown or deactivated members
 */
export function createGroup(tx: Tx, creator: User, wanted: NewGroup): Group {
  if (findGroupByName(tx, wanted.name)) {
    throw badRequest(`User group '${wanted.name}' already exists.`)
  }
  for (const id of wanted.memberIds) {
    const member = findUser(tx, id)
    if (!member?.isActive || member.isSystemBot) throw badRequest(`Invalid user ID: ${id}`)
  }
  const settings = groupPermissions.map((setting) => [
    groupColumn(setting),
    storeGroupSetting(tx, defaultValue(tx, creator, setting)),
  ])
  const group = insertGroup(tx, {
    name: wanted.name,
    nameKey: wanted.name.toLowerCase(),
    description: wanted.description,
    creatorId: creator.id,
    dateCreated: seconds(tx.clock),
    ...Object.fromEntries(settings),
  })
  insertGroupMembers(tx, group.id, wanted.memberIds)
  tx.emit(groupAddEvent(groupJson(tx, group)), () => true)
  return group
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
