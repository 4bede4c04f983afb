import { groupList } from '#features/foundation/groups/json.ts'
import { prepareSystemGroups } from '#features/foundation/groups/queries.ts'
import { groupShape } from '#features/foundation/groups/shapes.ts'
import type { StateOptions, StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'

/**
 * Only clients with `include_deactivated_groups` get deactivated groups (feature level 294).
 * Spectators get only the system groups: the members of named groups are internal.
 */
export const groupsState = {
  types: ['realm_user_groups'],
  members: { realm_user_groups: shape.list(groupShape) },
  *prepare({ store }, options) {
    yield* prepareSystemGroups(store)
    groupList(store, choiceOf(options))
    yield
  },
  read: ({ store }, options) => ({ realm_user_groups: groupList(store, choiceOf(options)) }),
  readPublic: ({ store }) => ({ realm_user_groups: groupList(store, 'system') }),
} satisfies StatePart

const choiceOf = ({ capabilities }: StateOptions) =>
  capabilities.has('include_deactivated_groups') ? 'all' : 'active'
