import { trackChannelsOpenedBy } from '#features/foundation/channels/visibility.actions.ts'
import {
  groupDeactivatedEvent,
  groupUpdateEvent,
  subgroupsEvent,
} from '#features/foundation/groups/events.ts'
import { type GroupJson, groupJson, groupPermissions } from '#features/foundation/groups/json.ts'
import {
  deleteSubgroups,
  findGroup,
  type Group,
  insertSubgroups,
  listAllMembers,
  listDirectMembers,
  listNestedGroups,
  listSubgroups,
  updateGroup,
} from '#features/foundation/groups/queries.ts'
import { groupQuota } from '#features/foundation/groups/quotas.ts'
import { updateGroupSetting } from '#features/foundation/groups/setting-values.actions.ts'
import { groupSettingValue } from '#features/foundation/groups/setting-values.queries.ts'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { can, canInGroup, groupColumn } from '#features/foundation/permissions/rules.ts'
import type { GroupSettingUpdate } from '#features/foundation/permissions/setting-values.rules.ts'
import { type GroupPermission, permissionRules } from '#features/foundation/permissions/table.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { trackStarsOpenedBy } from '#features/messaging/messages/flags/stars.actions.ts'
import { ApiError, badRequest, checking } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import {
  addMembers,
  removeMembers,
  requireDescription,
  requireMembers,
  requireName,
  requireSubgroups,
} from './actions.ts'
import { listUses } from './uses.queries.ts'

const everybody = () => true

/** A named group. @throws BAD_REQUEST unknown, or a system group, which cannot be changed */
function accessNamedGroup(read: Read, id: number): Group {
  const group = findGroup(read, id)
  if (!group || group.isSystem)
    throw badRequest(sentSentence('Invalid user group'), { parameter: 'user_group_id' })
  return group
}

/** Whether a user may add other users to a group. */
export function canAddMembers(read: Read, user: User, group: Group): boolean {
  return canManage(read, { user }, group) || canInGroup(read, user, 'can_add_members_group', group)
}

function canManage(read: Read, { user }: Pick<Caller, 'user'>, group: Group): boolean {
  return (
    can(read, user, 'can_manage_all_groups') || canInGroup(read, user, 'can_manage_group', group)
  )
}

/** @throws BAD_REQUEST the caller neither manages the group nor holds one of these permissions */
function requireAny(
  read: Read,
  caller: Caller,
  group: Group,
  ...settings: GroupPermission[]
): void {
  if (canManage(read, caller, group)) return
  if (settings.some((setting) => canInGroup(read, caller.user, setting, group))) return
  throw badRequest(sentSentence('Insufficient permission'))
}

export interface GroupChanges {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly settings: Partial<Record<GroupPermission, GroupSettingUpdate | undefined>>
  /** False reactivates the group; true has no effect. */
  readonly deactivated?: boolean | undefined
}

/**
 * Changes a group's name, description and settings, or reactivates it.
 *
 * @throws BAD_REQUEST no such group, no permission, an invalid value, or too many active groups
 * @throws EXPECTATION_MISMATCH a setting's `old` is not its current value
 * @source Zulip API, "Update a user group"
 */
export function editGroup(tx: Tx, caller: Caller, groupId: number, changes: GroupChanges): void {
  const group = accessNamedGroup(tx, groupId)
  requireAny(tx, caller, group)
  const { settings, ...others } = changes
  const given = [...Object.values(settings), ...Object.values(others)]
  if (given.every((value) => value === undefined))
    throw badRequest(sentSentence('No new data supplied'))
  const data: Partial<GroupJson> = {}
  if (changes.name !== undefined && changes.name !== group.name) {
    data.name = requireName(tx, changes.name, group)
    updateGroup(tx, group.id, { name: data.name })
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
    if (group.creatorId !== null) requireRoom(tx, groupQuota, { id: group.creatorId })
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
 * Deactivates a group: existing mentions stay, but it can no longer be used.
 *
 * @throws BAD_REQUEST no such group, no permission, or already deactivated
 * @throws CANNOT_DEACTIVATE_GROUP_IN_USE with `objections`, the uses of the group
 * @source Zulip API, "Deactivate a user group" (feature levels 290, 298)
 */
export function deactivateGroup(tx: Tx, caller: Caller, groupId: number): void {
  const group = accessNamedGroup(tx, groupId)
  requireAny(tx, caller, group)
  if (group.deactivated)
    throw badRequest(sentSentence('User group is already deactivated.'), {
      parameter: 'user_group_id',
    })
  const objections = listUses(tx, group)
  if (objections.length > 0) {
    throw new ApiError(
      'CANNOT_DEACTIVATE_GROUP_IN_USE',
      sentSentence('Cannot deactivate user group in use.'),
      {
        objections,
      },
    )
  }
  const deactivated = updateGroup(tx, group.id, { deactivated: true })
  tx.emit(groupDeactivatedEvent(groupJson(tx, deactivated)), everybody)
}

export interface MemberChanges {
  readonly add: readonly number[]
  readonly remove: readonly number[]
}

/**
 * Adds users to a group and removes others. `can_join_group` and `can_leave_group` let users add
 * and remove themselves.
 *
 * @throws BAD_REQUEST unknown users, users who are already or not yet members, no permission
 * @source Zulip API, "Update user group members"
 */
export function changeMembers(
  tx: Tx,
  caller: Caller,
  groupId: number,
  { add, remove }: MemberChanges,
): void {
  const group = accessNamedGroup(tx, groupId)
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
    const ids = checking('add', () => requireMembers(tx, add))
    for (const id of ids) {
      if (members.has(id))
        throw badRequest(
          sentSentence('User {id} is already a member of this group', { id: String(id) }),
          { parameter: 'add' },
        )
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
      if (!members.has(id))
        throw badRequest(
          sentSentence("There is no member '{id}' in this user group", { id: String(id) }),
          { parameter: 'delete' },
        )
    }
    removeMembers(tx, group, ids)
  }
}

/**
 * Adds subgroups to a group and removes others.
 *
 * @throws BAD_REQUEST unknown groups, groups that are already or not yet subgroups, a cycle, no
 * permission
 * @source Zulip API, "Update subgroups of a user group"
 */
export function changeSubgroups(
  tx: Tx,
  caller: Caller,
  groupId: number,
  { add, remove }: MemberChanges,
): void {
  const group = accessNamedGroup(tx, groupId)
  const subgroups = new Set(listSubgroups(tx, group.id))
  if (add.length > 0) {
    requireAny(tx, caller, group, 'can_add_members_group')
    const ids = requireSubgroups(tx, add)
    for (const id of ids) {
      if (subgroups.has(id)) {
        throw badRequest(
          sentSentence('User group {id} is already a subgroup of this group.', { id: String(id) }),
          { parameter: 'add' },
        )
      }
      if (listNestedGroups(tx, id).has(group.id)) {
        throw badRequest(
          sentSentence('User group {outer} is already inside user group {id}.', {
            outer: String(group.id),
            id: String(id),
          }),
          { parameter: 'add' },
        )
      }
    }
    const people = () => listAllMembers(tx, ...ids)
    const visibility = trackChannelsOpenedBy(tx, group.id, people)
    const stars = trackStarsOpenedBy(tx, group.id, people)
    insertSubgroups(tx, group.id, ids)
    tx.emit(subgroupsEvent('add_subgroups', group.id, ids), everybody)
    visibility.emitChanges()
    stars.emitChanges()
  }
  if (remove.length > 0) {
    requireAny(tx, caller, group, 'can_remove_members_group')
    const ids = [...new Set(remove)]
    for (const id of ids) {
      if (!subgroups.has(id)) {
        throw badRequest(
          sentSentence('User group {id} is not a subgroup of this group.', { id: String(id) }),
          { parameter: 'delete' },
        )
      }
    }
    const people = () => listAllMembers(tx, ...ids)
    const visibility = trackChannelsOpenedBy(tx, group.id, people)
    const stars = trackStarsOpenedBy(tx, group.id, people)
    deleteSubgroups(tx, group.id, ids)
    tx.emit(subgroupsEvent('remove_subgroups', group.id, ids), everybody)
    visibility.emitChanges()
    stars.emitChanges()
  }
}
