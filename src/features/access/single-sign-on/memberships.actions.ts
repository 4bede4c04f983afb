import { changeRole } from '#features/access/accounts/administration/roles.actions.ts'
import { findGroupByName, listDirectMembers } from '#features/foundation/groups/queries.ts'
import { findUser, type Role, roles, type User } from '#features/foundation/users/queries.ts'
import { addMembers, removeMembers } from '#features/people/group-administration/actions.ts'
import type { IdentityProvider } from '#platform/config.ts'
import type { Queues } from '#platform/events/queues.ts'
import type { Tx } from '#platform/store/store.ts'

/**
 * Gives someone the groups and the role that the provider's settings name for their groups there.
 * Other groups are not changed, no group is created, and nobody becomes an owner or stops being
 * one.
 *
 * @returns the changed account
 */
export function syncMemberships(
  tx: Tx,
  queues: Pick<Queues, 'closeAllOf' | 'liveUsers'>,
  provider: IdentityProvider,
  theirs: ReadonlySet<string>,
  user: User,
): User {
  for (const [name, isMember] of wantedGroups(provider, theirs)) {
    const group = findGroupByName(tx, name)
    if (!group || group.isSystem || group.deactivated) continue
    const wasMember = listDirectMembers(tx, group.id).includes(user.id)
    if (isMember && !wasMember) addMembers(tx, group, [user.id])
    if (!isMember && wasMember) removeMembers(tx, group, [user.id])
  }
  const role = roleFor(provider, theirs)
  if (role === undefined || user.role === roles.owner || user.role === role) return user
  // Because administrators cannot do that either.
  if (user.role === roles.guest && role <= roles.admin) return user
  changeRole(tx, queues, user, role)
  return findUser(tx, user.id) ?? user
}

/**
 * The configured groups here, and whether any of the person's groups at the provider maps to each.
 */
function wantedGroups(
  { groups }: IdentityProvider,
  theirs: ReadonlySet<string>,
): Map<string, boolean> {
  const wanted = new Map<string, boolean>()
  for (const [there, here] of Object.entries(groups)) {
    wanted.set(here, (wanted.get(here) ?? false) || theirs.has(there))
  }
  return wanted
}

/** The highest role to which any of the person's groups maps; undefined: roles do not change. */
function roleFor(
  { roles: listed }: IdentityProvider,
  theirs: ReadonlySet<string>,
): Role | undefined {
  const entries = Object.entries(listed)
  if (entries.length === 0) return undefined
  const found = entries.filter(([there]) => theirs.has(there)).map(([, here]) => roles[here])
  return found.sort((a, b) => a - b)[0] ?? roles.member
}
