import { eq } from 'drizzle-orm'
import { chosenRealmGroup, realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { roles, type User, userGroups } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import { permissionRules, type RealmPermission, type SystemGroup } from './table.ts'

/** The properties of a user that determine group membership. */
export type Member = Pick<User, 'id' | 'role' | 'dateJoined'>

interface SystemGroupIds {
  readonly byId: ReadonlyMap<number, SystemGroup>
  readonly byName: ReadonlyMap<SystemGroup, number>
}

/** Cached for good: system groups are created with the realm and never change their ids. */
const systemGroupIds = prepared((db): SystemGroupIds => {
  const rows = db
    .select({ id: userGroups.id, name: userGroups.name })
    .from(userGroups)
    .where(eq(userGroups.isSystem, true))
    .all() as { id: number; name: SystemGroup }[]
  if (rows.length === 0) throw new Error('This realm has no system groups yet.')
  return {
    byId: new Map(rows.map(({ id, name }) => [id, name])),
    byName: new Map(rows.map(({ id, name }) => [name, id])),
  }
})

/** The id of a system group. */
export function systemGroupId(read: Read, name: SystemGroup): number {
  const id = systemGroupIds(read).byName.get(name)
  if (id === undefined) throw new Error(`There is no group ${name}.`)
  return id
}

/** The name of a system group; undefined for every other group. */
export function systemGroupName(read: Read, groupId: number): SystemGroup | undefined {
  return systemGroupIds(read).byId.get(groupId)
}

/** The id of the group, named or anonymous, that holds a permission of the realm. */
export function realmGroupSetting(read: Read, name: RealmPermission): number {
  return chosenRealmGroup(read, name) ?? systemGroupId(read, permissionRules.realm[name].default)
}

/** A group and its subgroups at any depth, with whether the user is a direct member of each. */
const nestedGroups = preparedSql<{ id: number; isMember: number }>(`
  WITH RECURSIVE nested (id) AS (
    SELECT @groupId
    UNION
    SELECT s.subgroup_id FROM group_subgroups s JOIN nested ON s.group_id = nested.id
  )
  SELECT id, EXISTS (
    SELECT 1 FROM group_members m WHERE m.group_id = nested.id AND m.user_id = @userId
  ) AS isMember
  FROM nested
`)

/** Whether a user is in a group, directly, by role, or through subgroups. */
export function isInGroup(read: Read, user: Member, groupId: number): boolean {
  const system = systemGroupName(read, groupId)
  if (system) return hasRole(read, user, system)
  return nestedGroups(read)
    .all({ groupId, userId: user.id })
    .some(({ id, isMember }) => {
      if (isMember) return true
      const inner = systemGroupName(read, id)
      return inner !== undefined && hasRole(read, user, inner)
    })
}

/** Whether a user is in a system group because of their role. */
export function hasRole(read: Read, user: Member, group: SystemGroup): boolean {
  switch (group) {
    case 'role:nobody':
      return false
    case 'role:owners':
      return user.role <= roles.owner
    case 'role:administrators':
      return user.role <= roles.admin
    case 'role:moderators':
      return user.role <= roles.moderator
    case 'role:fullmembers':
      return user.role <= roles.moderator || (user.role <= roles.member && !isNew(read, user))
    case 'role:members':
      return user.role <= roles.member
    case 'role:everyone':
    case 'role:internet':
      return true
  }
}

/** Whether a user is still in the realm's waiting period. */
function isNew(read: Read, user: Member): boolean {
  return user.dateJoined > waitingSince(read)
}

/** Users who joined after this are in the realm's waiting period; in seconds since the epoch. */
export function waitingSince(read: Read): number {
  const days = realmSetting(read, 'waiting_period_threshold')
  return read.clock.now() / 1000 - days * 86_400
}
