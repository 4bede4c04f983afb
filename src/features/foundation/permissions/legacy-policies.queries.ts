import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'
import { hasRole, type Member, realmGroupSetting } from './membership.queries.ts'
import type { RealmPermission, SystemGroup } from './table.ts'

/**
 * Of the active members of a group and of its subgroups at any depth, the newest of each role, who
 * are in the fewest system groups; and the system groups in it.
 */
const nestedMembers = preparedSql<Member & { groupName: SystemGroup | null }>(`
  WITH RECURSIVE nested (id) AS (
    SELECT @groupId
    UNION
    SELECT s.subgroup_id FROM group_subgroups s JOIN nested ON s.group_id = nested.id
  )
  SELECT u.id, u.role, max(u.date_joined) AS dateJoined, NULL AS groupName
  FROM nested
  JOIN group_members m ON m.group_id = nested.id
  JOIN users u ON u.id = m.user_id AND u.is_active
  GROUP BY u.role
  UNION ALL
  SELECT 0, 0, 0, g.name
  FROM nested
  JOIN user_groups g ON g.id = nested.id
  WHERE g.is_system
`)

/** The system groups, each after all groups that it contains. */
const widening: readonly SystemGroup[] = [
  'role:nobody',
  'role:owners',
  'role:administrators',
  'role:moderators',
  'role:fullmembers',
  'role:members',
  'role:everyone',
]

/**
 * The deprecated numeric policy of a permission: the code of the smallest system group that
 * contains everyone who holds it.
 *
 * @param codes the system groups that the deprecated setting supported, the smallest first
 */
function policy(
  read: Read,
  setting: RealmPermission,
  codes: readonly (readonly [SystemGroup, number])[],
): number {
  const rows = nestedMembers(read).all({ groupId: realmGroupSetting(read, setting) })
  const contains = (group: SystemGroup) =>
    rows.every(({ groupName, ...user }) =>
      groupName
        ? widening.indexOf(groupName) <= widening.indexOf(group)
        : hasRole(read, user, group),
    )
  const smallest = codes.find(([group]) => contains(group)) ?? codes.at(-1)
  return smallest?.[1] ?? 0
}

const channelCreation = [
  ['role:administrators', 2],
  ['role:moderators', 4],
  ['role:fullmembers', 3],
  ['role:members', 1],
] as const

/** The legacy policies that changed, by their names in `realm` events. */
export function changedPolicies(
  before: ReturnType<typeof legacyPolicies>,
  after: ReturnType<typeof legacyPolicies>,
): Record<string, unknown> {
  const old = new Map(Object.entries(before))
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => value !== old.get(name))
      .map(([name, value]) => [name.replace(/^realm_/, ''), value]),
  )
}

/**
 * Deprecated members of the register reply, derived from the settings that replaced them, for old
 * clients.
 *
 * @source Zulip API, "Register an event queue"
 */
export function legacyPolicies(read: Read) {
  const historyPolicy = realmSetting(read, 'message_edit_history_visibility_policy')
  return {
    realm_create_public_stream_policy: policy(
      read,
      'can_create_public_channel_group',
      channelCreation,
    ),
    realm_create_private_stream_policy: policy(
      read,
      'can_create_private_channel_group',
      channelCreation,
    ),
    realm_create_web_public_stream_policy: policy(read, 'can_create_web_public_channel_group', [
      ['role:nobody', 6],
      ['role:owners', 7],
      ['role:administrators', 2],
      ['role:moderators', 4],
    ]),
    realm_wildcard_mention_policy: policy(read, 'can_mention_many_users_group', [
      ['role:nobody', 6],
      ['role:administrators', 5],
      ['role:moderators', 7],
      ['role:fullmembers', 3],
      ['role:members', 2],
      ['role:everyone', 1],
    ]),
    realm_allow_edit_history: historyPolicy !== 'none',
    realm_mandatory_topics: realmSetting(read, 'topics_policy') === 'disable_empty_topic',
  }
}
