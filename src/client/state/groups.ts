import type { EventNamed } from '#client/api/wire.ts'
import { groupFromWire, permissionsFromWire } from './from-wire.ts'
import { derivePermissions } from './permissions.ts'
import type { State } from './state.ts'

export function addGroup(state: State, { group }: EventNamed<'user_group/add'>): void {
  state.groups.set(group.id, groupFromWire(group))
  derivePermissions(state)
}

export function removeGroup(state: State, { group_id }: EventNamed<'user_group/remove'>): void {
  state.groups.delete(group_id)
  derivePermissions(state)
}

export function updateGroup(
  state: State,
  { group_id, data }: EventNamed<'user_group/update'>,
): void {
  const { name, description, deactivated } = data
  state.groups.update(group_id, (group) => ({
    ...group,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(deactivated !== undefined && { isDeactivated: deactivated }),
    permissions: { ...group.permissions, ...permissionsFromWire(data) },
  }))
}

export function changeMembers(state: State, event: EventNamed<'user_group/add_members'>): void {
  state.groups.update(event.group_id, (group) => ({
    ...group,
    memberIds: changedSet(group.memberIds, event.user_ids, event.op === 'add_members'),
  }))
  derivePermissions(state)
}

export function changeSubgroups(state: State, event: EventNamed<'user_group/add_subgroups'>): void {
  const { group_id, direct_subgroup_ids, op } = event
  state.groups.update(group_id, (group) => ({
    ...group,
    subgroupIds: changedSet(group.subgroupIds, direct_subgroup_ids, op === 'add_subgroups'),
  }))
  derivePermissions(state)
}

function changedSet(
  before: ReadonlySet<number>,
  ids: readonly number[],
  areAdded: boolean,
): ReadonlySet<number> {
  const after = new Set(before)
  for (const id of ids) {
    if (areAdded) after.add(id)
    else after.delete(id)
  }
  return after
}
