import { groupColumn } from '#features/permissions/rules.ts'
import { type GroupPermission, permissionRules } from '#features/permissions/table.ts'
import type { Shaped } from '#platform/shape.ts'
import type { Read } from '#platform/store/write.ts'
import { type Group, listDirectMembers, listSubgroups } from './queries.ts'
import { groupSettingValue } from './setting-values.queries.ts'
import type { GroupSettingValue } from './setting-values.rules.ts'
import type { groupShape } from './shapes.ts'

/** A named or system group on the wire. @source Zulip API, "Get user groups" */
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
