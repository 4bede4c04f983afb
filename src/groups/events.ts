import type { VariantEvent, WireEvent } from '#events/types.ts'
import type { GroupJson } from './json.ts'
import type { Group } from './queries.ts'

/** A group came to be, or one that a client did not know of is active again. */
export interface GroupAddEvent extends WireEvent {
  type: 'user_group'
  op: 'add'
  group: GroupJson
}

/** Users became direct members of a group, or are no more. */
export interface GroupMembersEvent extends WireEvent {
  type: 'user_group'
  op: 'add_members' | 'remove_members'
  group_id: number
  user_ids: number[]
}

/** Groups were put into a group, or taken out of it. */
export interface SubgroupsEvent extends WireEvent {
  type: 'user_group'
  op: 'add_subgroups' | 'remove_subgroups'
  group_id: number
  direct_subgroup_ids: number[]
}

/** A group is no more, for clients that do not know of deactivated ones. */
export interface GroupRemoveEvent extends WireEvent {
  type: 'user_group'
  op: 'remove'
  group_id: number
}

/** What changed of a group: its name, its description, a permission setting. */
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

/** A change of a group; one that is deactivated exists for the clients that know of such alone. */
export function groupUpdateEvent(group: Group, data: Partial<GroupJson>): VariantEvent {
  return {
    type: 'user_group',
    variant: ({ traits }) =>
      group.deactivated && !traits.capabilities.has('include_deactivated_groups') ? undefined : '',
    build: (): GroupUpdateEvent => ({ type: 'user_group', op: 'update', group_id: group.id, data }),
  }
}

/** A group was deactivated or is active again; other clients see it go or come (level 294). */
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
