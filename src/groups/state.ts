import type { StatePart } from '#events/state.ts'
import { list } from '#shape.ts'
import { groupJson } from './json.ts'
import { listGroups } from './queries.ts'
import { groupShape } from './shapes.ts'

/** Deactivated groups are for the clients that know of them alone (level 294). */
export const groupsState: StatePart = {
  types: ['realm_user_groups'],
  shape: { realm_user_groups: list(groupShape) },
  read: ({ store }, { capabilities }) => ({
    realm_user_groups: listGroups(store)
      .filter(({ deactivated }) => !deactivated || capabilities.has('include_deactivated_groups'))
      .map((group) => groupJson(store, group)),
  }),
}
