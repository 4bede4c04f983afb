import { ApiError, badRequest } from '#errors.ts'
import {
  deleteAnonymousGroup,
  findGroup,
  insertAnonymousGroup,
  isAnonymous,
  listDirectMembers,
  listSubgroups,
} from '#groups/queries.ts'
import type { Read, Tx } from '#store/write.ts'
import { findUser } from '#users/queries.ts'
import { systemGroupName } from './groups.ts'
import type { PermissionRule } from './table.ts'

/** Everybody in either list, by id, where no named group says it. */
export interface DirectGroup {
  direct_members: number[]
  direct_subgroups: number[]
}

/** Who holds a permission: the id of a named or system group, or people and groups directly. */
export type GroupSettingValue = number | DirectGroup

/** A change: the new value, and the one that the client believes to be current. */
export interface GroupSettingUpdate {
  new: GroupSettingValue
  old?: GroupSettingValue | undefined
}

/** A stored setting in the form clients know: deactivated users do not count (level 303). */
export function groupSettingValue(read: Read, groupId: number): GroupSettingValue {
  // Most settings are system groups, whose names are in memory.
  if (systemGroupName(read, groupId) || !isAnonymous(read, groupId)) return groupId
  return {
    direct_members: listDirectMembers(read, groupId),
    direct_subgroups: listSubgroups(read, groupId),
  }
}

/**
 * Stores a setting's value and returns the id of the group that stands for it: the value itself,
 * or an anonymous group. `{[], [g]}` is `g`.
 *
 * @throws BAD_REQUEST unknown or deactivated users and groups
 */
export function storeGroupSetting(tx: Tx, value: GroupSettingValue): number {
  const wanted = canonical(value)
  if (typeof wanted === 'number') requireUsableGroup(tx, wanted)
  else {
    for (const id of wanted.direct_members) {
      const user = findUser(tx, id)
      if (!user?.isActive || user.isSystemBot) throw badRequest(`Invalid user ID: ${id}`)
    }
    for (const id of wanted.direct_subgroups) requireUsableGroup(tx, id)
  }
  if (typeof wanted === 'number') return wanted
  return insertAnonymousGroup(tx, wanted.direct_members, wanted.direct_subgroups)
}

export interface GroupSettingChange {
  /** The wire name, for the message. */
  readonly setting: string
  readonly rule: PermissionRule
  /** The group that stands for the value until now. */
  readonly current: number
  readonly update: GroupSettingUpdate
  /** Puts the new value's group where the setting is kept. */
  save(groupId: number): void
}

/**
 * Applies a client's change of a setting. An anonymous group that held the old value goes away.
 *
 * @throws EXPECTATION_MISMATCH when `old` is not the current value
 * @throws BAD_REQUEST what the setting's rule forbids, unknown users and groups
 */
export function updateGroupSetting(tx: Tx, change: GroupSettingChange): void {
  const { setting, rule, current, update } = change
  if (update.old !== undefined && !sameValue(update.old, groupSettingValue(tx, current))) {
    throw new ApiError('EXPECTATION_MISMATCH', "'old' value does not match the expected value.")
  }
  requireAllowed(tx, setting, rule, update.new)
  change.save(storeGroupSetting(tx, update.new))
  if (isAnonymous(tx, current)) deleteAnonymousGroup(tx, current)
}

/** @throws BAD_REQUEST when the setting may not have this value, whoever asks */
export function requireAllowed(
  read: Read,
  setting: string,
  rule: PermissionRule,
  value: GroupSettingValue,
): void {
  const wanted = canonical(value)
  if (typeof wanted !== 'number') {
    if (rule.onlySystemGroups) throw badRequest(`'${setting}' must be a system user group.`)
    return
  }
  const name = systemGroupName(read, wanted)
  if (!name) {
    if (rule.onlySystemGroups) throw badRequest(`'${setting}' must be a system user group.`)
    return
  }
  const allowed = rule.onlySystemGroups
    ? rule.onlySystemGroups.includes(name)
    : name !== 'role:internet' &&
      !rule.never?.includes(name) &&
      (name !== 'role:everyone' || rule.everyone) &&
      (name !== 'role:nobody' || rule.nobody)
  if (!allowed) throw badRequest(`'${setting}' setting cannot be set to '${name}' group.`)
}

function requireUsableGroup(read: Read, id: number): void {
  const group = findGroup(read, id)
  if (!group || group.deactivated) throw badRequest('Invalid user group')
}

/** Without repetitions, sorted; a lone subgroup stands for itself. */
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

function sameValue(a: GroupSettingValue, b: GroupSettingValue): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))
}

function sortedIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}
