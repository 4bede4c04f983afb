import type { GroupPermission } from '#client/api/wire.ts'
import { holdersText } from '#client/settings/directory/holders.ts'
import { settingFromWire } from '#client/state/from-wire.ts'
import type { Group } from '#client/state/model.ts'
import { can, canInGroup } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'
import { listText, t } from '#client/ui/t.ts'

/**
 * The user's permissions for a group, by the rules of the server. Each lock says who may do
 * something if the user may not.
 */

type Lock = string | undefined

/** Locks name, description, permissions, and whether the group is in use. */
export function groupLock(store: Store, group: Group): Lock {
  if (canManage(store, group)) return undefined
  return t('Only people who manage the group can change this: {who}.', {
    who: whoCan(store, group, 'can_manage_group'),
  })
}

/** Whether the user administers a group. */
function canManage(store: Store, group: Group): boolean {
  return can(store, 'can_manage_all_groups') || canInGroup(store, group, 'can_manage_group')
}

/** Who has a permission of a group, or may do it in every group, in words. */
function whoCan(store: Store, { permissions }: Group, name: GroupPermission): string {
  const all = holdersText(settingFromWire(store.realm.value.realm_can_manage_all_groups), store)
  const holders = [holdersText(permissions[name], store), all]
  return listText(
    holders.flatMap((each) => each || []),
    'narrow',
  )
}

/** Locks adding people and groups. */
export function addingLock(store: Store, group: Group): Lock {
  if (canManage(store, group) || canInGroup(store, group, 'can_add_members_group')) return undefined
  return t('Only these can add members: {who}.', {
    who: whoCan(store, group, 'can_add_members_group'),
  })
}

/** Whether the user may remove others, and groups. */
export function canRemove(store: Store, group: Group): boolean {
  return canManage(store, group) || canInGroup(store, group, 'can_remove_members_group')
}

/** Whether the user may add themselves. */
export function canJoin(store: Store, group: Group): boolean {
  return addingLock(store, group) === undefined || canInGroup(store, group, 'can_join_group')
}

/** Whether the user may remove themselves. */
export function canLeave(store: Store, group: Group): boolean {
  return canRemove(store, group) || canInGroup(store, group, 'can_leave_group')
}

/** Whether the user may add someone; oneself is enough to join. @param userId undefined: anyone */
export function canAddMember(store: Store, group: Group, userId?: number): boolean {
  if (group.isSystem || group.isDeactivated) return false
  return userId === store.selfId ? canJoin(store, group) : addingLock(store, group) === undefined
}

/** Whether the user may remove someone; oneself is enough to leave. */
export function canRemoveMember(store: Store, group: Group, userId: number): boolean {
  if (group.isSystem || group.isDeactivated) return false
  return userId === store.selfId ? canLeave(store, group) : canRemove(store, group)
}
