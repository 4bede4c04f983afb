import { hasRole, type Member } from '#permissions/groups.ts'
import type { RealmPermission, SystemGroup } from '#permissions/table.ts'
import { preparedSql } from '#store/prepared.ts'
import type { Read } from '#store/write.ts'
import { realmGroupSetting, realmSetting } from './settings.ts'

/** Who a group comes to: the members and the groups inside it, at any depth. */
const insiders = preparedSql<Member & { groupName: SystemGroup | null }>(`
  WITH RECURSIVE nested (id) AS (
    SELECT @groupId
    UNION
    SELECT s.subgroup_id FROM group_subgroups s JOIN nested ON s.group_id = nested.id
  )
  SELECT u.id, u.role, u.date_joined AS dateJoined, NULL AS groupName
  FROM nested
  JOIN group_members m ON m.group_id = nested.id
  JOIN users u ON u.id = m.user_id AND u.is_active
  UNION ALL
  SELECT 0, 0, 0, g.name
  FROM nested
  JOIN user_groups g ON g.id = nested.id
  WHERE g.is_system
`)

/** The system groups, each with all that are inside it. */
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
 * The number by which clients from before group settings know who holds a permission: that of the
 * smallest set of roles that contains everybody who does.
 *
 * @param codes the sets of roles that the old setting could say, the smallest first
 */
function policy(
  read: Read,
  setting: RealmPermission,
  codes: readonly (readonly [SystemGroup, number])[],
): number {
  const rows = insiders(read).all({ groupId: realmGroupSetting(read, setting) })
  const contains = (group: SystemGroup) =>
    rows.every(({ groupName, ...user }) =>
      groupName
        ? widening.indexOf(groupName) <= widening.indexOf(group)
        : hasRole(read, user, group),
    )
  const fitting = codes.find(([group]) => contains(group)) ?? codes.at(-1)
  return fitting?.[1] ?? 0
}

const channelCreation = [
  ['role:administrators', 2],
  ['role:moderators', 4],
  ['role:fullmembers', 3],
  ['role:members', 1],
] as const

/** What old clients read differently now, under the names of the `realm` event. */
export function changedPolicies(
  before: ReturnType<typeof legacyPolicies>,
  after: ReturnType<typeof legacyPolicies>,
): Record<string, unknown> {
  const known = new Map(Object.entries(before))
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => value !== known.get(name))
      .map(([name, value]) => [name.replace(/^realm_/, ''), value]),
  )
}

/**
 * Members of the register reply that newer settings replaced and old clients still need.
 *
 * @source api-changes §5, "Deprecated but still sent"
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
