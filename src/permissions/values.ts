import { asc, eq, sql } from 'drizzle-orm'
import { prepared } from '#store/prepared.ts'
import { groupMembers, groupSubgroups, userGroups } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

/** Who holds a permission: a named or system group by id, or an anonymous group's content. */
export type GroupSettingValue =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }

const nameOf = prepared((db) =>
  db
    .select({ name: userGroups.name })
    .from(userGroups)
    .where(eq(userGroups.id, sql.placeholder('id')))
    .prepare(),
)

const membersOf = prepared((db) =>
  db.$client
    .prepare<[number], number>(
      `SELECT m.user_id FROM group_members m JOIN users u ON u.id = m.user_id
       WHERE m.group_id = ? AND u.is_active ORDER BY m.user_id`,
    )
    .pluck(),
)

const subgroupsOf = prepared((db) =>
  db
    .select({ id: groupSubgroups.subgroupId })
    .from(groupSubgroups)
    .where(eq(groupSubgroups.groupId, sql.placeholder('id')))
    .orderBy(asc(groupSubgroups.subgroupId))
    .prepare(),
)

/**
 * The group-setting value that a stored group id stands for. Deactivated users are left out of
 * anonymous groups.
 *
 * @source api-changes §1
 */
export function groupSettingValue(read: Read, groupId: number): GroupSettingValue {
  const group = nameOf(read).get({ id: groupId })
  if (group?.name != null) return groupId
  return {
    direct_members: membersOf(read).all(groupId),
    direct_subgroups: subgroupsOf(read)
      .all({ id: groupId })
      .map(({ id }) => id),
  }
}

/** Two values that name the same people in the same way. */
export function sameGroupSetting(a: GroupSettingValue, b: GroupSettingValue): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))
}

/** Sorted, without repetitions; `{[], [g]}` is `g`. */
function canonical(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const direct_members = ascending(value.direct_members)
  const direct_subgroups = ascending(value.direct_subgroups)
  const [only] = direct_subgroups
  if (only !== undefined && direct_subgroups.length === 1 && direct_members.length === 0) {
    return only
  }
  return { direct_members, direct_subgroups }
}

function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

/**
 * Stores a checked value, as an anonymous group where it is not a group by itself.
 *
 * @returns the group id to keep in the setting's column
 */
export function storeGroupSetting(tx: Tx, value: GroupSettingValue): number {
  const wanted = canonical(value)
  if (typeof wanted === 'number') return wanted
  const { id } = tx.db.insert(userGroups).values({}).returning({ id: userGroups.id }).get()
  for (const userId of wanted.direct_members) {
    tx.db.insert(groupMembers).values({ groupId: id, userId }).run()
  }
  for (const subgroupId of wanted.direct_subgroups) {
    tx.db.insert(groupSubgroups).values({ groupId: id, subgroupId }).run()
  }
  return id
}
