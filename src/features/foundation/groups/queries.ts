import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import {
  hasRole,
  systemGroupId,
  systemGroupName,
  waitingSince,
} from '#features/foundation/permissions/membership.queries.ts'
import { canInGroup } from '#features/foundation/permissions/rules.ts'
import { type SystemGroup, systemGroups } from '#features/foundation/permissions/table.ts'
import {
  findUser,
  listShownUsers,
  roles,
  type ShownUser,
  type User,
} from '#features/foundation/users/queries.ts'
import type { MentionedGroup } from '#platform/markdown/types.ts'
import type { Steps } from '#platform/steps.ts'
import { columnsOf, derived } from '#platform/store/derived.ts'
import { preparedInsert } from '#platform/store/insert.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { groupMembers, groupSubgroups, userGroups, users } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { keysOf, nameKey } from '#shared/names.ts'

type GroupRow = typeof userGroups.$inferSelect
/** A named group or a system group; never an anonymous one. */
export type Group = GroupRow & { name: string }
export type NewGroupRow = Omit<typeof userGroups.$inferInsert, 'nameKey'>

const byId = prepared((db) =>
  db
    .select()
    .from(userGroups)
    .where(eq(userGroups.id, sql.placeholder('id')))
    .prepare(),
)

/** The named or system group with this id, active or deactivated. */
export function findGroup(read: Read, id: number): Group | undefined {
  const group = byId(read).get({ id })
  return isNamed(group) ? group : undefined
}

/** Whether a group is anonymous, which means that it only holds the value of one setting. */
export function isAnonymous(read: Read, id: number): boolean {
  const group = byId(read).get({ id })
  return group !== undefined && group.name === null
}

const byName = prepared((db) =>
  db
    .select()
    .from(userGroups)
    .where(eq(userGroups.nameKey, sql.placeholder('key')))
    .prepare(),
)

/** The named or system group whose name has the same key as this one, active or deactivated. */
export function findGroupByName(read: Read, name: string): Group | undefined {
  for (const key of keysOf(name)) {
    const group = byName(read).get({ key })
    if (isNamed(group)) return group
  }
  return undefined
}

function isNamed(group: GroupRow | undefined): group is Group {
  return group !== undefined && group.name !== null
}

const named = prepared((db) =>
  db
    .select()
    .from(userGroups)
    .where(isNotNull(userGroups.name))
    .orderBy(asc(userGroups.id))
    .prepare(),
)

/** All named and system groups, including deactivated ones, by id. */
export function listGroups(read: Read): Group[] {
  return named(read).all().filter(isNamed)
}

/** The group with this name, and the data for rendering a mention of it by this author. */
export function findMentionGroup(
  read: Read,
  author: User,
  name: string,
): MentionedGroup | undefined {
  const group = findGroupByName(read, name)
  return (
    group && {
      id: group.id,
      name: group.name,
      displayName: group.isSystem ? group.description : group.name,
      isSystem: group.isSystem,
      mentionable: canInGroup(read, author, 'can_mention_group', group),
      deactivated: group.deactivated,
    }
  )
}

const activeMembers = prepared((db) =>
  db
    .select({ id: users.id })
    .from(groupMembers)
    .innerJoin(users, and(eq(users.id, groupMembers.userId), eq(users.isActive, true)))
    .where(eq(groupMembers.groupId, sql.placeholder('groupId')))
    .orderBy(asc(users.id))
    .prepare(),
)

/**
 * The ids of the active users who are direct members of a group, ascending. Direct members of a
 * system group have exactly its role; users with higher roles are in its subgroup.
 */
export function listDirectMembers(read: Read, groupId: number): number[] {
  const system = systemGroupName(read, groupId)
  if (system) return listRoleMembers(read, system)
  return activeMembers(read)
    .all({ groupId })
    .map(({ id }) => id)
}

const ownRole: Partial<Record<SystemGroup, number>> = {
  'role:owners': roles.owner,
  'role:administrators': roles.admin,
  'role:moderators': roles.moderator,
  'role:fullmembers': roles.member,
  'role:members': roles.member,
  'role:everyone': roles.guest,
}

/** The columns of users that determine their groups. */
export const memberColumns = columnsOf(users, 'is_active', 'role', 'date_joined', 'is_system_bot')

function listRoleMembers(read: Read, name: SystemGroup): number[] {
  const role = ownRole[name]
  if (role === undefined) return []
  const since = name === 'role:fullmembers' ? waitingSince(read) : Infinity
  const active = activeByRole(read, 'all').get(role) ?? []
  return active.filter(({ dateJoined }) => dateJoined <= since).map(({ id }) => id)
}

/** All system groups together go through the users once. */
const activeByRole = derived(
  [memberColumns],
  (read, _: 'all') => {
    const byRole = new Map<number, ShownUser[]>(Object.values(roles).map((role) => [role, []]))
    for (const user of listShownUsers(read)) {
      if (user.isActive && !user.isSystemBot) byRole.get(user.role)?.push(user)
    }
    return byRole
  },
  1,
)

const joinTimes = derived(
  [memberColumns],
  (read, _: 'all') =>
    Float64Array.from(listShownUsers(read).map(({ dateJoined }) => dateJoined)).sort(),
  1,
)

/**
 * The number of users who are through the waiting period. It determines who they are, so cached
 * groups for this number do not depend on the clock.
 */
export function countThroughWaiting(read: Read): number {
  const times = joinTimes(read, 'all')
  const since = waitingSince(read)
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((times[middle] ?? 0) <= since) low = middle + 1
    else high = middle
  }
  return low
}

/** Makes what is kept of all users for the lists of system groups. */
export function* prepareSystemGroups(read: Read): Steps<void> {
  countThroughWaiting(read)
  yield
  activeByRole(read, 'all')
  yield
}

/** The direct subgroup of each system group. */
const innerSystemGroup: Partial<Record<SystemGroup, SystemGroup>> = {
  'role:administrators': 'role:owners',
  'role:moderators': 'role:administrators',
  'role:fullmembers': 'role:moderators',
  'role:members': 'role:fullmembers',
  'role:everyone': 'role:members',
  'role:internet': 'role:everyone',
}

const subgroups = prepared((db) =>
  db
    .select({ id: groupSubgroups.subgroupId })
    .from(groupSubgroups)
    .where(eq(groupSubgroups.groupId, sql.placeholder('groupId')))
    .orderBy(asc(groupSubgroups.subgroupId))
    .prepare(),
)

/** The ids of a group's direct subgroups, ascending. */
export function listSubgroups(read: Read, groupId: number): number[] {
  const system = systemGroupName(read, groupId)
  if (system) {
    const inner = innerSystemGroup[system]
    return inner ? [systemGroupId(read, inner)] : []
  }
  return subgroups(read)
    .all({ groupId })
    .map(({ id }) => id)
}

const memberIds = prepared((db) =>
  db.$client
    .prepare<[number], number>('SELECT user_id FROM group_members WHERE group_id = ?')
    .pluck(),
)

/**
 * The ids of the active members of any of these groups, direct or through subgroups, ascending.
 * Subgroups that they share are read once, and so are their people.
 */
export function listAllMembers(read: Read, ...groupIds: readonly number[]): number[] {
  const members = new Set<number>()
  const named = memberIds(read)
  for (const id of listNestedGroups(read, ...groupIds)) {
    if (systemGroupName(read, id) === undefined)
      for (const userId of named.all(id)) members.add(userId)
    else for (const userId of listDirectMembers(read, id)) members.add(userId)
  }
  return [...members].filter((id) => findUser(read, id)?.isActive).sort((a, b) => a - b)
}

const namedWithMember = prepared((db) =>
  db
    .select({ id: userGroups.id })
    .from(groupMembers)
    .innerJoin(userGroups, eq(userGroups.id, groupMembers.groupId))
    .where(and(eq(groupMembers.userId, sql.placeholder('userId')), isNotNull(userGroups.name)))
    .orderBy(asc(userGroups.id))
    .prepare(),
)

/** Ids of the groups that a user is a direct member of: system groups, then named ones by id. */
export function listGroupsOf(read: Read, user: User): number[] {
  const byRole = systemGroups.filter(
    (name) => ownRole[name] === user.role && hasRole(read, user, name),
  )
  const others = namedWithMember(read).all({ userId: user.id })
  return [...byRole.map((name) => systemGroupId(read, name)), ...others.map(({ id }) => id)]
}

const insertOne = preparedInsert(userGroups)

export function insertGroup(tx: Tx, group: NewGroupRow): Group {
  const row = insertOne(tx, withKey(group))
  if (!isNamed(row)) throw new Error('A group needs a name.')
  return row
}

/** Changes of a row, with the key of the name if it has a new one. */
function withKey<T extends { readonly name?: string | null | undefined }>(changes: T) {
  const { name } = changes
  return typeof name === 'string' ? { ...changes, nameKey: nameKey(name) } : changes
}

const insertMember = preparedSql(
  'INSERT INTO group_members (group_id, user_id) VALUES (@groupId, @userId)',
)

export function insertGroupMembers(tx: Tx, groupId: number, userIds: readonly number[]): void {
  const insert = insertMember(tx)
  for (const userId of userIds) insert.run({ groupId, userId })
}

export function deleteGroupMembers(tx: Tx, groupId: number, userIds: readonly number[]): void {
  tx.db
    .delete(groupMembers)
    .where(and(eq(groupMembers.groupId, groupId), inArray(groupMembers.userId, [...userIds])))
    .run()
}

const insertSubgroup = preparedSql(
  'INSERT INTO group_subgroups (group_id, subgroup_id) VALUES (@groupId, @subgroupId)',
)

export function insertSubgroups(tx: Tx, groupId: number, subgroupIds: readonly number[]): void {
  const insert = insertSubgroup(tx)
  for (const subgroupId of subgroupIds) insert.run({ groupId, subgroupId })
}

export function deleteSubgroups(tx: Tx, groupId: number, subgroupIds: readonly number[]): void {
  tx.db
    .delete(groupSubgroups)
    .where(
      and(
        eq(groupSubgroups.groupId, groupId),
        inArray(groupSubgroups.subgroupId, [...subgroupIds]),
      ),
    )
    .run()
}

export function updateGroup(tx: Tx, id: number, changes: Partial<NewGroupRow>): Group {
  const row = tx.db
    .update(userGroups)
    .set(withKey(changes))
    .where(eq(userGroups.id, id))
    .returning()
    .get()
  if (!isNamed(row)) throw new Error('Only named groups can be changed.')
  return row
}

/** The ids of these groups and all their subgroups at any depth. */
export function listNestedGroups(read: Read, ...groupIds: readonly number[]): Set<number> {
  const groups = new Set(groupIds)
  // Iterating over a set also visits what is added during the iteration.
  for (const id of groups) for (const inner of listSubgroups(read, id)) groups.add(inner)
  return groups
}

/** The groups, including anonymous ones (`name` null), that have a group as a direct subgroup. */
export function listSupergroups(
  read: Read,
  groupId: number,
): { id: number; name: string | null }[] {
  return read.db
    .select({ id: userGroups.id, name: userGroups.name })
    .from(groupSubgroups)
    .innerJoin(userGroups, eq(userGroups.id, groupSubgroups.groupId))
    .where(eq(groupSubgroups.subgroupId, groupId))
    .orderBy(asc(userGroups.id))
    .all()
}

const anonymousOf = preparedSql<{ id: number }>(`
  SELECT g.id FROM group_members m JOIN user_groups g ON g.id = m.group_id AND g.name IS NULL
  WHERE m.user_id = @userId
`)

/** The ids of the anonymous groups, each the value of a setting, with a user as direct member. */
export function listAnonymousGroupsOf(read: Read, userId: number): number[] {
  return anonymousOf(read)
    .all({ userId })
    .map(({ id }) => id)
}

/**
 * Inserts an anonymous group, which holds the value of one setting, and returns its id.
 *
 * @param wanted the id; default: the next one
 */
export function insertAnonymousGroup(
  tx: Tx,
  memberIds: readonly number[],
  subgroupIds: readonly number[],
  wanted?: number,
): number {
  const { id } = insertOne(tx, { id: wanted })
  insertGroupMembers(tx, id, memberIds)
  insertSubgroups(tx, id, subgroupIds)
  return id
}

export function deleteAnonymousGroup(tx: Tx, id: number): void {
  tx.db.delete(groupMembers).where(eq(groupMembers.groupId, id)).run()
  tx.db.delete(groupSubgroups).where(eq(groupSubgroups.groupId, id)).run()
  tx.db.delete(userGroups).where(eq(userGroups.id, id)).run()
}
