import { systemGroupName } from '#features/foundation/permissions/membership.queries.ts'
import {
  canonical,
  type GroupSettingValue,
} from '#features/foundation/permissions/setting-values.rules.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import {
  findGroup,
  insertAnonymousGroup,
  isAnonymous,
  listDirectMembers,
  listSubgroups,
} from './queries.ts'

/** A stored setting on the wire, without deactivated users (feature level 303). */
export function groupSettingValue(read: Read, groupId: number): GroupSettingValue {
  // Checks system groups first: most values are one, and their names are in memory.
  if (systemGroupName(read, groupId) || !isAnonymous(read, groupId)) return groupId
  return {
    direct_members: listDirectMembers(read, groupId),
    direct_subgroups: listSubgroups(read, groupId),
  }
}

/**
 * Stores a setting's value and returns the id of the group that holds it: the value itself if it is
 * a group, else a new anonymous group. A value with no members and one subgroup is that subgroup.
 *
 * @throws BAD_REQUEST unknown or deactivated users or groups
 */
export function storeGroupSetting(tx: Tx, value: GroupSettingValue): number {
  const wanted = canonical(value)
  if (typeof wanted === 'number') requireUsableGroup(tx, wanted)
  else {
    for (const id of wanted.direct_members) {
      const user = findUser(tx, id)
      if (!user?.isActive || user.isSystemBot)
        throw badRequest(sentSentence('Invalid user ID: {id}', { id: String(id) }))
    }
    for (const id of wanted.direct_subgroups) requireUsableGroup(tx, id)
  }
  if (typeof wanted === 'number') return wanted
  return insertAnonymousGroup(tx, wanted.direct_members, wanted.direct_subgroups)
}

function requireUsableGroup(read: Read, id: number): void {
  const group = findGroup(read, id)
  if (!group || group.deactivated) throw badRequest(sentSentence('Invalid user group'))
}
