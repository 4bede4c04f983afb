import { groupColumn } from '#features/foundation/permissions/rules.ts'
import type { GroupSettingValue } from '#features/foundation/permissions/setting-values.rules.ts'
import { type GroupPermission, permissionRules } from '#features/foundation/permissions/table.ts'
import type { Shaped } from '#platform/shape.ts'
import { type JsonPieces, sharedValue } from '#platform/shared-replies/values.ts'
import { derived } from '#platform/store/derived.ts'
import { groupMembers, groupSubgroups, userGroups } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import {
  countThroughWaiting,
  type Group,
  listDirectMembers,
  listGroups,
  listSubgroups,
  memberColumns,
} from './queries.ts'
import { groupSettingValue } from './setting-values.queries.ts'
import type { groupShape } from './shapes.ts'

/** A named or system group on the wire. @source Zulip API, "Get user groups" */
export type GroupJson = Shaped<typeof groupShape>

/** The names of all permission settings of a group. */
export const groupPermissions = Object.keys(permissionRules.group) as GroupPermission[]

/** The tables from which groups are read as the API shows them. */
const groupTables = [userGroups, groupMembers, groupSubgroups, memberColumns]

/** Which groups are listed. */
type Choice = 'all' | 'active' | 'system'

const lists = derived(
  groupTables,
  (read, key: `${Choice} ${number}`) => {
    const [choice] = key.split(' ')
    const isListed = ({ deactivated, isSystem }: Group) =>
      choice === 'all' || (choice === 'active' ? !deactivated : isSystem)
    const groups = listGroups(read).filter(isListed)
    return sharedValue(groups.map((group) => groupJson(read, group)))
  },
  3,
)

/** These groups as a JSON array, shared by all replies. */
export function groupList(read: Read, choice: Choice): JsonPieces {
  return lists(read, `${choice} ${countThroughWaiting(read)}`)
}

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
