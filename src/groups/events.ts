import type { WireEvent } from '#events/types.ts'
import type { GroupJson } from './json.ts'

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
