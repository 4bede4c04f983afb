import type { VariantEvent } from '#platform/events/types.ts'
import type { EventOf } from '#platform/shape.ts'
import type { GroupJson } from './json.ts'
import type { Group } from './queries.ts'
import type { groupEventShapes } from './shapes.ts'

/** A group was created, or reactivated for clients that do not support deactivated groups. */
export type GroupAddEvent = EventOf<typeof groupEventShapes, 'user_group', 'add'>

/** Users became direct members of a group, or were removed from it. */
export type GroupMembersEvent = EventOf<
  typeof groupEventShapes,
  'user_group',
  'add_members' | 'remove_members'
>

/** Subgroups were added to a group or removed from it. */
export type SubgroupsEvent = EventOf<
  typeof groupEventShapes,
  'user_group',
  'add_subgroups' | 'remove_subgroups'
>

/** A group was deactivated, for clients that do not support deactivated groups. */
export type GroupRemoveEvent = EventOf<typeof groupEventShapes, 'user_group', 'remove'>

/** Properties of a group changed: name, description, permission settings or deactivation. */
export type GroupUpdateEvent = EventOf<typeof groupEventShapes, 'user_group', 'update'>

export function subgroupsEvent(
  op: SubgroupsEvent['op'],
  groupId: number,
  subgroupIds: number[],
): SubgroupsEvent {
  return { type: 'user_group', op, group_id: groupId, direct_subgroup_ids: subgroupIds }
}

/** A change of a group. If it is deactivated, only clients that support that get the event. */
export function groupUpdateEvent(group: Group, data: Partial<GroupJson>): VariantEvent {
  return {
    type: 'user_group',
    variant: ({ traits }) =>
      group.deactivated && !traits.capabilities.has('include_deactivated_groups') ? undefined : '',
    build: (): GroupUpdateEvent => ({ type: 'user_group', op: 'update', group_id: group.id, data }),
  }
}

/**
 * A group was deactivated or reactivated. Clients without `include_deactivated_groups` see it
 * removed or added.
 *
 * @source Zulip API, "Get events", type "user_group" (feature level 294)
 */
export function groupDeactivatedEvent(json: GroupJson): VariantEvent {
  const { id: group_id, deactivated } = json
  return {
    type: 'user_group',
    variant: ({ traits }) => String(traits.capabilities.has('include_deactivated_groups')),
    build(key): GroupUpdateEvent | GroupAddEvent | GroupRemoveEvent {
      if (key === 'true')
        return { type: 'user_group', op: 'update', group_id, data: { deactivated } }
      if (!deactivated) return groupAddEvent(json)
      return { type: 'user_group', op: 'remove', group_id }
    },
  }
}

export function groupAddEvent(group: GroupJson): GroupAddEvent {
  return { type: 'user_group', op: 'add', group }
}

export function groupMembersEvent(
  op: GroupMembersEvent['op'],
  groupId: number,
  userIds: number[],
): GroupMembersEvent {
  return { type: 'user_group', op, group_id: groupId, user_ids: userIds }
}
