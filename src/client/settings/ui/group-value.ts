import type { PermissionRule, WireGroupSetting } from '#client/api/wire.ts'
import type { Group, GroupSetting } from '#client/state/model.ts'
import { byName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { type Text, texts } from '#translations/translate.ts'

/**
 * The value of a permission: a group, or people and groups together. Pure, for the picker and its
 * tests.
 */

/** A value in the picker's form: "nobody" is an empty value. */
export type GroupChoice = GroupSetting

export type GroupValue = number | GroupSetting

const nobody = 'role:nobody'

/** The names of system groups, English, for `t()`. */
export const systemGroupNames: Readonly<Record<string, Text>> = texts({
  [nobody]: 'Nobody',
  'role:owners': 'Owners',
  'role:administrators': 'Administrators',
  'role:moderators': 'Moderators',
  'role:fullmembers': 'Full members',
  'role:members': 'Everyone except guests',
  'role:everyone': 'Everyone, including guests',
  'role:internet': 'Everyone on the internet',
})

export function choiceOf(value: GroupValue, groups: Store['groups']): GroupChoice {
  if (typeof value !== 'number') return value
  const isNobody = groups.current.get(value)?.name === nobody
  return { members: [], subgroups: isNobody ? [] : [value] }
}

/** The value to send: one group by its id, nobody by the id of the group without members. */
export function chosenValue(choice: GroupChoice, groups: Store['groups']): GroupValue {
  const { members, subgroups } = choice
  const [only, ...others] = subgroups
  if (members.length > 0 || others.length > 0) return choice
  if (only !== undefined) return only
  return systemGroup(groups, nobody)?.id ?? choice
}

/** In the API's form. */
export function toWire(value: GroupValue): WireGroupSetting {
  if (typeof value === 'number') return value
  return { direct_members: [...value.members], direct_subgroups: [...value.subgroups] }
}

/** Whether two values name the same people and groups, in whatever order. */
export function sameValue(a: GroupValue, b: GroupValue): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b
  const sameIds = (x: readonly number[], y: readonly number[]) =>
    x.length === y.length && new Set([...x, ...y]).size === new Set(x).size
  return sameIds(a.members, b.members) && sameIds(a.subgroups, b.subgroups)
}

/** The groups that a permission can be given to: system groups by their order, then the others. */
export function allowedGroups(groups: Store['groups'], rule: PermissionRule): Group[] {
  const names = Object.keys(systemGroupNames)
  const rank = ({ name }: Group) => names.indexOf(name)
  const all = [...groups.all.values()].filter(({ isDeactivated }) => !isDeactivated)
  const system = all.filter((group) => group.isSystem && allowsSystemGroup(rule, group.name))
  const own = rule.require_system_group ? [] : all.filter(({ isSystem }) => !isSystem)
  return [
    ...system.sort((a, b) => rank(a) - rank(b)),
    ...own.sort((a, b) => byName(a.name, b.name)),
  ]
}

function allowsSystemGroup(rule: PermissionRule, name: string): boolean {
  if (rule.allowed_system_groups.length > 0) return rule.allowed_system_groups.includes(name)
  if (name === 'role:internet') return rule.allow_internet_group
  if (name === nobody) return rule.allow_nobody_group
  return name !== 'role:everyone' || rule.allow_everyone_group
}

function systemGroup(groups: Store['groups'], name: string): Group | undefined {
  return [...groups.current.values()].find((group) => group.isSystem && group.name === name)
}

/** The IDs of the active people in a choice, each once. */
export function peopleOf(choice: GroupChoice, store: Pick<Store, 'groups' | 'users'>): number[] {
  const found = new Set(choice.members)
  const seen = new Set(choice.subgroups)
  // A set is walked over what is added on the way as well.
  for (const id of seen) {
    const group = store.groups.all.get(id)
    for (const member of group?.memberIds ?? []) found.add(member)
    for (const subgroup of group?.subgroupIds ?? []) seen.add(subgroup)
  }
  const users = store.users.all
  return [...found].filter((id) => users.get(id)?.isActive)
}
