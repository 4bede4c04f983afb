import { choiceText } from '#client/settings/ui/group-names.ts'
import { choiceOf, type GroupValue } from '#client/settings/ui/group-value.ts'
import type { Store } from '#client/state/store.ts'

/** The holders of a permission, in words; undefined: nobody. */
export function holdersText(value: GroupValue | undefined, store: Store): string | undefined {
  if (value === undefined) return undefined
  const { members, subgroups } = choiceOf(value, store.groups)
  return members.length + subgroups.length > 0 ? choiceText(value, store) : undefined
}
