import { groupColumn } from '#permissions/can.ts'
import { type GroupPermission, permissionRules } from '#permissions/table.ts'
import { type GroupSettingValue, groupSettingValue } from '#permissions/values.ts'
import type { Shaped } from '#shape.ts'
import type { Read } from '#store/write.ts'
import { type Group, listDirectMembers, listSubgroups } from './queries.ts'
import type { groupShape } from './shapes.ts'

/** A named or system group on the wire. @source api-changes §6, "UserGroup" */
export type GroupJson = Shaped<typeof groupShape>

/** The names of all permission settings of a group. */
export const groupPermissions = Object.keys(permissionRules.group) as GroupPermission[]

export function groupJson(read: Read, group: Group): GroupJson {
  const settings = groupPermissions.map((setting) => {
    const value = group[groupColumn(setting)]
    return [setting, value === null ? null : groupSettingValue(read, value)]
  })
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    members: listDirectMembers(read, group.id),
    direct_subgroup_ids: listSubgroups(read, group.id),
    is_system_group: group.isSystem,
    creator_id: group.creatorId,
    date_created: group.dateCreated,
    deactivated: group.deactivated,
    ...(Object.fromEntries(settings) as Record<GroupPermission, GroupSettingValue>),
  }
}
