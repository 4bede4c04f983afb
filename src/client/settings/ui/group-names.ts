import type { Group } from '#client/state/model.ts'
import { userName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { listText, t } from '#client/ui/t.ts'
import { choiceOf, type GroupChoice, type GroupValue, systemGroupNames } from './group-value.ts'

/** The name of a group. */
export function groupName(group: Group | undefined): string {
  if (!group) return t('Unknown group')
  const system = group.isSystem ? systemGroupNames[group.name] : undefined
  return system ? t(system) : group.name
}

/** The holders of a permission, in words: "Moderators, Cordelia". */
export function choiceText(value: GroupValue, store: Store): string {
  const choice: GroupChoice = choiceOf(value, store.groups)
  const names = [
    ...choice.subgroups.map((id) => groupName(store.groups.get(id))),
    ...choice.members.map((id) => userName(id, store)),
  ]
  return names.length > 0 ? listText(names, 'narrow') : t('Nobody')
}
