import { badRequest } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { systemGroupName } from './membership.queries.ts'
import type { PermissionRule } from './table.ts'

/** The ids of users and groups that hold a permission, where no named group fits. */
export interface DirectGroup {
  direct_members: number[]
  direct_subgroups: number[]
}

/** The users who hold a permission: the id of a named or system group, or users and groups. */
export type GroupSettingValue = number | DirectGroup

/** A change: the new value, and the value that the client expects to replace. */
export interface GroupSettingUpdate {
  new: GroupSettingValue
  old?: GroupSettingValue | undefined
}

/** @throws BAD_REQUEST the setting's rule does not allow this value */
export function requireAllowed(
  read: Read,
  setting: string,
  rule: PermissionRule,
  value: GroupSettingValue,
): void {
  const wanted = canonical(value)
  if (typeof wanted !== 'number') {
    if (rule.onlySystemGroups)
      throw badRequest(sentSentence("'{setting}' must be a system user group.", { setting }), {
        parameter: setting,
      })
    return
  }
  const name = systemGroupName(read, wanted)
  if (!name) {
    if (rule.onlySystemGroups)
      throw badRequest(sentSentence("'{setting}' must be a system user group.", { setting }), {
        parameter: setting,
      })
    return
  }
  const allowed = rule.onlySystemGroups
    ? rule.onlySystemGroups.includes(name)
    : name !== 'role:internet' &&
      !rule.never?.includes(name) &&
      (name !== 'role:everyone' || rule.everyone) &&
      (name !== 'role:nobody' || rule.nobody)
  if (!allowed)
    throw badRequest(
      sentSentence("'{setting}' setting cannot be set to '{name}' group.", { setting, name }),
      { parameter: setting },
    )
}

/** A value without duplicates, sorted; a single subgroup without members becomes its id. */
export function canonical(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value
  const direct_members = sortedIds(value.direct_members)
  const direct_subgroups = sortedIds(value.direct_subgroups)
  const [only] = direct_subgroups
  if (only !== undefined && direct_subgroups.length === 1 && direct_members.length === 0) {
    return only
  }
  return { direct_members, direct_subgroups }
}

/** Whether two values name the same users and groups. */
export function sameValue(a: GroupSettingValue, b: GroupSettingValue): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))
}

function sortedIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}
