import {
  insertAnonymousGroup,
  insertGroup,
  insertGroupMembers,
  insertSubgroups,
  updateGroup,
} from '#features/foundation/groups/queries.ts'
import { groupColumn } from '#features/foundation/permissions/rules.ts'
import {
  type GroupPermission,
  type PermissionRule,
  permissionRules,
  type SystemGroup,
  systemGroups,
} from '#features/foundation/permissions/table.ts'
import type { GroupItem } from '#features/organization/imports/stream.ts'
import { mendedName } from '#shared/names.ts'
import type { UniqueNames } from './names.ts'
import { cleanText } from './texts.ts'
import { now, timeOf, type Work } from './work.actions.ts'

/**
 * The ID of a group that may be the value of a permission.
 *
 * @param rule undefined: there is no such permission
 * @returns undefined: there is no such group, or it may not be the value
 */
export function groupOf(
  { groups }: Work,
  key: string,
  rule: PermissionRule | undefined,
): number | undefined {
  const id = groups.get(key)
  if (!rule || id === undefined) return undefined
  const system = systemGroups.find((name) => groups.get(name) === id)
  return isAllowed(rule, system) ? id : undefined
}

/** @param system the name of the group, if it is a system group */
function isAllowed(rule: PermissionRule, system: SystemGroup | undefined): boolean {
  if (rule.onlySystemGroups) return system !== undefined && rule.onlySystemGroups.includes(system)
  if (system === 'role:internet') return false
  if (system === 'role:everyone') return rule.everyone
  if (system === 'role:nobody') return rule.nobody
  return system === undefined || !rule.never?.includes(system)
}

export function writeGroup(work: Work, item: GroupItem, names: UniqueNames): void {
  const { groups, notes, people, tx } = work
  const { system } = item
  if (system !== undefined) {
    const id = groups.get(system)
    if (id === undefined) notes.skipped('groups', 'no-place', system)
    else groups.set(item.key, id)
    return
  }
  if (groups.has(item.key)) {
    notes.skipped('groups', 'duplicate', item.key)
    return
  }
  const members = [...new Set((item.members ?? []).flatMap((key) => people.get(key) ?? []))]
  const id =
    item.name === null
      ? insertAnonymousGroup(tx, members, [], item.id)
      : insertNamed(work, item, names.take(item.name, `group ${item.key}`), members)
  groups.set(item.key, id)
  notes.imported('groups')
  work.later.push(() => writeReferences(work, item, id))
}

function insertNamed(
  work: Work,
  item: GroupItem,
  name: string,
  members: readonly number[],
): number {
  const { groups, people, tx } = work
  const nobody = groups.get('role:nobody') ?? 1
  const everyone = groups.get('role:everyone') ?? 1
  const { id } = insertGroup(tx, {
    ...(item.id !== undefined && { id: item.id }),
    name,
    description: mendedName(cleanText(item.description ?? ''), 1024),
    creatorId: people.get(item.creator ?? '') ?? null,
    dateCreated: timeOf(item.created) ?? now(work),
    deactivated: item.isActive === false,
    canAddMembersGroup: nobody,
    canJoinGroup: nobody,
    canLeaveGroup: everyone,
    canManageGroup: nobody,
    canMentionGroup: everyone,
    canRemoveMembersGroup: nobody,
  })
  insertGroupMembers(tx, id, members)
  return id
}

/** References to groups that may come later. */
function writeReferences(work: Work, item: GroupItem, id: number): void {
  const { groups, notes, tx } = work
  const subgroups = new Set((item.subgroups ?? []).flatMap((key) => groups.get(key) ?? []))
  subgroups.delete(id)
  insertSubgroups(tx, id, [...subgroups])
  for (const [name, key] of Object.entries(item.permissions ?? {})) {
    const setting = name as GroupPermission
    const rule = Object.hasOwn(permissionRules.group, name)
      ? permissionRules.group[setting]
      : undefined
    const group = groupOf(work, key, rule)
    if (group === undefined) notes.skipped('settings', 'bad-value', `${name} of a group`)
    else updateGroup(tx, id, { [groupColumn(setting)]: group })
  }
}
