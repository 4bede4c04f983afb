import { watchGroup } from '#channels/witnesses.ts'
import { ApiError, badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { can, canInGroup, groupColumn } from '#permissions/can.ts'
import { systemGroupId } from '#permissions/groups.ts'
import { type GroupPermission, permissionRules } from '#permissions/table.ts'
import {
  type GroupSettingUpdate,
  groupSettingValue,
  updateGroupSetting,
} from '#permissions/values.ts'
import type { Read, Tx } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import {
  addMembers,
  requireDescription,
  requireMembers,
  requireName,
  requireSubgroups,
} from './actions.ts'
import {
  groupDeactivatedEvent,
  groupMembersEvent,
  groupUpdateEvent,
  subgroupsEvent,
} from './events.ts'
import { type GroupJson, groupJson, groupPermissions } from './json.ts'
import {
  deleteGroupMembers,
  deleteSubgroups,
  findGroup,
  type Group,
  insertSubgroups,
  listAllMembers,
  listDirectMembers,
  listNestedGroups,
  listSubgroups,
  updateGroup,
} from './queries.ts'
import { listUses } from './uses.ts'

const everybody = () => true

/** A group that people made. @throws BAD_REQUEST unknown, or a system group, which nobody changes */
function accessOwnGroup(read: Read, id: number): Group {
  const group = findGroup(read, id)
  if (!group || group.isSystem) throw badRequest('Invalid user group')
  return group
}

/** Whether a user may make others members of a group. */
export function canAddMembers(read: Read, user: User, group: Group): boolean {
  return mayManage(read, { user }, group) || canInGroup(read, user, 'can_add_members_group', group)
}

function mayManage(read: Read, { user }: Pick<Caller, 'user'>, group: Group): boolean {
  return (
    can(read, user, 'can_manage_all_groups') || canInGroup(read, user, 'can_manage_group', group)
  )
}

/** @throws BAD_REQUEST unless the caller manages the group or holds one of these permissions */
function requireAny(
  read: Read,
  caller: Caller,
  group: Group,
  ...settings: GroupPermission[]
): void {
  if (mayManage(read, caller, group)) return
  if (settings.some((setting) => canInGroup(read, caller.user, setting, group))) return
  throw badRequest('Insufficient permission')
}

export interface GroupChanges {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly settings: Partial<Record<GroupPermission, GroupSettingUpdate | undefined>>
  /** False makes the group active again; true means nothing. */
  readonly deactivated?: boolean | undefined
}

/**
 * Changes a group's name, description and settings, or makes it active again.
 *
 * @throws BAD_REQUEST; EXPECTATION_MISMATCH a setting's `old` is not its value
 * @source contract, "Update a user group"
 */
export function editGroup(tx: Tx, caller: Caller, groupId: number, changes: GroupChanges): void {
  const group = accessOwnGroup(tx, groupId)
  requireAny(tx, caller, group)
  const data: Partial<GroupJson> = {}
  if (changes.name !== undefined && changes.name !== group.name) {
    data.name = requireName(tx, changes.name, group)
    updateGroup(tx, group.id, { name: data.name, nameKey: data.name.toLowerCase() })
  }
  if (changes.description !== undefined && changes.description !== group.description) {
    data.description = requireDescription(changes.description)
    updateGroup(tx, group.id, { description: data.description })
  }
  for (const setting of groupPermissions) {
    const update = changes.settings[setting]
    if (update) Object.assign(data, changeSetting(tx, group, setting, update))
  }
  if (changes.deactivated === false && group.deactivated) {
    const active = updateGroup(tx, group.id, { deactivated: false })
    tx.emit(groupDeactivatedEvent(groupJson(tx, active)), everybody)
    if (Object.keys(data).length > 0) tx.emit(groupUpdateEvent(active, data), everybody)
  } else if (Object.keys(data).length > 0) {
    tx.emit(groupUpdateEvent(group, data), everybody)
  }
}

function changeSetting(
  tx: Tx,
  group: Group,
  setting: GroupPermission,
  update: GroupSettingUpdate,
): Partial<GroupJson> {
  const column = groupColumn(setting)
  updateGroupSetting(tx, {
    setting,
    rule: permissionRules.group[setting],
    current: group[column] ?? systemGroupId(tx, 'role:nobody'),
    update,
    save: (id) => void updateGroup(tx, group.id, { [column]: id }),
  })
  const changed = findGroup(tx, group.id)?.[column]
  return changed ? { [setting]: groupSettingValue(tx, changed) } : {}
}

/**
 * Deactivates a group: it stays in mentions of old, and nothing new can use it.
 *
 * @throws CANNOT_DEACTIVATE_GROUP_IN_USE with `objections`: where it is used (level 298)
 */
export function deactivateGroup(tx: Tx, caller: Caller, groupId: number): void {
  const group = accessOwnGroup(tx, groupId)
  requireAny(tx, caller, group)
  if (group.deactivated) throw badRequest('User group is already deactivated.')
  const objections = listUses(tx, group)
  if (objections.length > 0) {
    throw new ApiError('CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.', {
      objections,
    })
  }
  const gone = updateGroup(tx, group.id, { deactivated: true })
  tx.emit(groupDeactivatedEvent(groupJson(tx, gone)), everybody)
}

export interface MemberChanges {
  readonly add: readonly number[]
  readonly remove: readonly number[]
}

/**
 * Adds users to a group and removes others. Everybody may join and leave where the group lets them.
 *
 * @throws BAD_REQUEST unknown users, members already, no members, no permission
 */
export function changeMembers(
  tx: Tx,
  caller: Caller,
  groupId: number,
  { add, remove }: MemberChanges,
): void {
  const group = accessOwnGroup(tx, groupId)
  const isOwn = (ids: readonly number[]) => ids.every((id) => id === caller.user.id)
  const members = new Set(listDirectMembers(tx, group.id))
  if (add.length > 0) {
    requireAny(
      tx,
      caller,
      group,
      'can_add_members_group',
      ...(isOwn(add) ? (['can_join_group'] as const) : []),
    )
    const ids = requireMembers(tx, add)
    for (const id of ids) {
      if (members.has(id)) throw badRequest(`User ${id} is already a member of this group`)
    }
    addMembers(tx, group, ids)
  }
  if (remove.length > 0) {
    requireAny(
      tx,
      caller,
      group,
      'can_remove_members_group',
      ...(isOwn(remove) ? (['can_leave_group'] as const) : []),
    )
    const ids = [...new Set(remove)]
    for (const id of ids) {
      if (!members.has(id)) throw badRequest(`There is no member '${id}' in this user group`)
    }
    const seen = watchGroup(tx, group.id, () => ids)
    deleteGroupMembers(tx, group.id, ids)
    tx.emit(groupMembersEvent('remove_members', group.id, ids), everybody)
    seen.tell()
  }
}

/**
 * Puts groups into a group and takes others out.
 *
 * @throws BAD_REQUEST unknown groups, subgroups already, no subgroups, a cycle, no permission
 */
export function changeSubgroups(
  tx: Tx,
  caller: Caller,
  groupId: number,
  { add, remove }: MemberChanges,
): void {
  const group = accessOwnGroup(tx, groupId)
  const subgroups = new Set(listSubgroups(tx, group.id))
  if (add.length > 0) {
    requireAny(tx, caller, group, 'can_add_members_group')
    const ids = requireSubgroups(tx, add)
    for (const id of ids) {
      if (subgroups.has(id)) {
        throw badRequest(`User group ${id} is already a subgroup of this group.`)
      }
      if (listNestedGroups(tx, id).has(group.id)) {
        throw badRequest(`User group ${group.id} is already inside user group ${id}.`)
      }
    }
    const seen = watchGroup(tx, group.id, () => ids.flatMap((id) => listAllMembers(tx, id)))
    insertSubgroups(tx, group.id, ids)
    tx.emit(subgroupsEvent('add_subgroups', group.id, ids), everybody)
    seen.tell()
  }
  if (remove.length > 0) {
    requireAny(tx, caller, group, 'can_remove_members_group')
    const ids = [...new Set(remove)]
    for (const id of ids) {
      if (!subgroups.has(id)) {
        throw badRequest(`User group ${id} is not a subgroup of this group.`)
      }
    }
    const seen = watchGroup(tx, group.id, () => ids.flatMap((id) => listAllMembers(tx, id)))
    deleteSubgroups(tx, group.id, ids)
    tx.emit(subgroupsEvent('remove_subgroups', group.id, ids), everybody)
    seen.tell()
  }
}
