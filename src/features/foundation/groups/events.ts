import type { VariantEvent, WireEvent } from '#platform/events/types.ts'
import type { GroupJson } from './json.ts'
import type { Group } from './queries.ts'

/** A group was created, or reactivated for clients that do not support deactivated groups. */
export interface GroupAddEvent extends WireEvent {
  type: 'user_group'
  op: 'add'
  group: GroupJson
}

/** Users became direct members of a group, or were removed from it. */
export interface GroupMembersEvent extends WireEvent {
  type: 'user_group'
  op: 'add_members' | 'remove_members'
  group_id: number
  user_ids: number[]
}

/** Subgroups were added to a group or removed from it. */
export interface SubgroupsEvent extends WireEvent {
  type: 'user_group'
  op: 'add_subgroups' | 'remove_subgroups'
  group_id: number
  direct_subgroup_ids: number[]
}

/** A group was deactivated, for clients that do not support deactivated groups. */
export interface GroupRemoveEvent extends WireEvent {
  type: 'user_group'
  op: 'remove'
  group_id: number
}

/** Properties of a group changed: name, description, permission settings or deactivation. */
export interface GroupUpdateEvent extends WireEvent {
  type: 'user_group'
  op: 'update'
  group_id: number
  data: Partial<GroupJson>
}

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
