import type { RealmPermission } from '#client/api/wire.ts'
import { choiceText } from '#client/settings/ui/group-names.ts'
import { settingFromWire } from '#client/state/from-wire.ts'
import type { Channel, Group, User } from '#client/state/model.ts'
import { can, canInChannel, canInGroup } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'
import { t } from '#client/ui/t.ts'

/*
 * What the user may do to other people, as the server would decide. It only hides what would be
 * refused; the server has the last word.
 */

/** Who may change an account, where the user may not: administrators, and owners those of owners. */
export function accountLock(store: Store, { role, isBot }: User): string | undefined {
  const { is_owner, is_admin } = store.realm.value
  if (is_owner) return undefined
  if (role === 100 && !isBot) return t('Only owners can change the account of an owner.')
  return is_admin ? undefined : t('Only administrators can change this.')
}

/** Who has a permission of the organization, where the user has not. */
export function permissionLock(store: Store, name: RealmPermission): string | undefined {
  if (can(store, name)) return undefined
  const who = choiceText(settingFromWire(store.realm.value[`realm_${name}`]), store)
  return t('Who may do this: {who}.', { who })
}

/** Whether the user may subscribe others to a channel. */
export function canSubscribeOthers(store: Store, channel: Channel): boolean {
  if (channel.isArchived || store.realm.value.is_guest) return false
  if (canInChannel(store, channel, 'can_add_subscribers_group')) return true
  if (channel.isPrivate && !store.subscriptions.get(channel.id)) return false
  return (
    store.realm.value.is_admin ||
    canInChannel(store, channel, 'can_administer_channel_group') ||
    can(store, 'can_add_subscribers_group')
  )
}

/** Whether the user may unsubscribe somebody from a channel. */
export function canUnsubscribe(store: Store, channel: Channel, user: User): boolean {
  if (channel.isArchived) return false
  return (
    user.id === store.selfId ||
    user.ownerId === store.selfId ||
    store.realm.value.is_admin ||
    canInChannel(store, channel, 'can_remove_subscribers_group') ||
    canInChannel(store, channel, 'can_administer_channel_group')
  )
}

function canManage(store: Store, group: Group): boolean {
  return can(store, 'can_manage_all_groups') || canInGroup(store, group, 'can_manage_group')
}

/** Whether the user may add somebody to a group; oneself is enough to join. */
export function canAddMember(store: Store, group: Group, userId?: number): boolean {
  if (group.isSystem || group.isDeactivated) return false
  return (
    canManage(store, group) ||
    canInGroup(store, group, 'can_add_members_group') ||
    (userId === store.selfId && canInGroup(store, group, 'can_join_group'))
  )
}

/** Whether the user may remove somebody from a group; oneself is enough to leave. */
export function canRemoveMember(store: Store, group: Group, userId: number): boolean {
  if (group.isSystem || group.isDeactivated) return false
  return (
    canManage(store, group) ||
    canInGroup(store, group, 'can_remove_members_group') ||
    (userId === store.selfId && canInGroup(store, group, 'can_leave_group'))
  )
}
