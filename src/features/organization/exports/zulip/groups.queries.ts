import { isInGroup, systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import { groupColumn } from '#features/foundation/permissions/rules.ts'
import { permissionRules, systemGroups } from '#features/foundation/permissions/table.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { userGroups } from '#platform/store/schema.ts'
import { withoutNul } from './format.ts'
import type { Plan } from './plan.queries.ts'
import { numbered, type Row, type Rows } from './tables.queries.ts'

const groups = preparedSql<typeof userGroups.$inferSelect>(`
  SELECT id, name, description, is_system AS isSystem, creator_id AS creatorId,
    date_created AS dateCreated, deactivated, can_add_members_group AS canAddMembersGroup,
    can_join_group AS canJoinGroup, can_leave_group AS canLeaveGroup,
    can_manage_group AS canManageGroup, can_mention_group AS canMentionGroup,
    can_remove_members_group AS canRemoveMembersGroup
  FROM user_groups ORDER BY id`)

export const allGroups: Rows = function* allGroups({ read }) {
  for (const { id } of groups(read).all({})) yield { id, realm: 1 }
}

export const namedGroups: Rows = function* namedGroups({ read }) {
  const names = Object.keys(permissionRules.group) as (keyof typeof permissionRules.group)[]
  for (const group of groups(read).all({})) {
    if (group.name === null) continue
    const permissions = names.map((name) => [
      name,
      group[groupColumn(name)] ??
        systemGroupId(read, permissionRules.group[name].forSystemGroups ?? 'role:nobody'),
    ])
    yield {
      id: group.id,
      usergroup_ptr: group.id,
      realm_for_sharding: 1,
      name: group.name,
      description: withoutNul(group.description),
      is_system_group: Boolean(group.isSystem),
      creator: group.creatorId,
      date_created: group.dateCreated,
      deactivated: Boolean(group.deactivated),
      ...Object.fromEntries(permissions),
    }
  }
}

const members = preparedSql<{ groupId: number; userId: number }>(
  'SELECT group_id AS groupId, user_id AS userId FROM group_members ORDER BY group_id, user_id',
)

/** The system groups in which a role is itself; the larger ones have those as subgroups. */
const rolesGroups: Readonly<Record<number, (typeof systemGroups)[number]>> = {
  100: 'role:owners',
  200: 'role:administrators',
  300: 'role:moderators',
  400: 'role:members',
  600: 'role:everyone',
}

export const groupMembers: Rows = (plan) => numbered(allMembers(plan))

function* allMembers({ people, read }: Plan): Generator<Row> {
  for (const user of people) {
    const group = rolesGroups[user.role]
    if (!group) continue
    yield { user_group: systemGroupId(read, group), user_profile: user.id }
    if (
      group === 'role:members' &&
      isInGroup(read, user, systemGroupId(read, 'role:fullmembers'))
    ) {
      yield { user_group: systemGroupId(read, 'role:fullmembers'), user_profile: user.id }
    }
  }
  for (const { groupId, userId } of members(read).iterate({})) {
    yield { user_group: groupId, user_profile: userId }
  }
}

const subgroupRows = preparedSql<{ groupId: number; subgroupId: number }>(`
  SELECT group_id AS groupId, subgroup_id AS subgroupId FROM group_subgroups
  ORDER BY group_id, subgroup_id`)

export const subgroups: Rows = (plan) => numbered(allSubgroups(plan))

function* allSubgroups({ read }: Plan): Generator<Row> {
  // Each system group is in the next larger one; nobody's has none.
  const chain = systemGroups.slice(1)
  for (const [i, name] of chain.entries()) {
    const larger = chain[i + 1]
    if (larger) {
      yield { supergroup: systemGroupId(read, larger), subgroup: systemGroupId(read, name) }
    }
  }
  for (const { groupId, subgroupId } of subgroupRows(read).iterate({})) {
    yield { supergroup: groupId, subgroup: subgroupId }
  }
}
