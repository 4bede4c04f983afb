import type { GroupPermission, RealmPermission, WireGroupSetting } from '#client/api/wire.ts'
import { settingFromWire } from './from-wire.ts'
import type { Channel, Group, GroupSetting } from './model.ts'
import type { State } from './state.ts'
import type { Store } from './store.ts'

/** Whether a user is in a group, or in one of its subgroups, or named by the setting itself. */
export function isIn(
  groups: Store['groups'],
  setting: number | GroupSetting,
  userId: number,
): boolean {
  const found = typeof setting === 'number' ? groups.all.get(setting) : undefined
  const members = typeof setting === 'number' ? found?.memberIds : new Set(setting.members)
  const subgroups = typeof setting === 'number' ? found?.subgroupIds : setting.subgroups
  if (members?.has(userId)) return true
  // Groups never contain each other in a circle: the server prevents that.
  return [...(subgroups ?? [])].some((id) => isIn(groups, id, userId))
}

/** Whether the user has a permission of the organization, by its name without `realm_`. */
export function can(store: Store, name: RealmPermission): boolean {
  const setting = store.realm.value[`realm_${name}`]
  return isIn(store.groups, settingFromWire(setting), store.selfId)
}

/** Whether the user has a permission of a channel, by its name on the wire. */
export function canInChannel(store: Store, channel: Channel, name: string): boolean {
  const setting = channel.permissions[name]
  return setting !== undefined && isIn(store.groups, setting, store.selfId)
}

/** Whether the user has a permission of a group, by its name on the wire. */
export function canInGroup(store: Store, group: Group, name: GroupPermission): boolean {
  const setting = group.permissions[name]
  return setting !== undefined && isIn(store.groups, setting, store.selfId)
}

/** The user's permissions that follow from their role, groups and the organization's settings. */
export function derivePermissions(state: State): void {
  const realm = state.realm.peek()
  const isGuest = realm.is_guest
  const may = (setting: WireGroupSetting) =>
    !isGuest && isIn(state.groups, settingFromWire(setting), state.selfId)
  const isPublic = may(realm.realm_can_create_public_channel_group)
  const isPrivate = may(realm.realm_can_create_private_channel_group)
  const derived = {
    can_create_public_streams: isPublic,
    can_create_private_streams: isPrivate,
    can_create_streams: isPublic || isPrivate,
    can_create_web_public_streams:
      realm.server_web_public_streams_enabled &&
      realm.realm_enable_spectator_access &&
      may(realm.realm_can_create_web_public_channel_group),
    can_subscribe_other_users: may(realm.realm_can_add_subscribers_group),
    can_invite_others_to_realm: may(realm.realm_can_invite_users_group),
  }
  const names = Object.keys(derived) as (keyof typeof derived)[]
  if (names.every((name) => derived[name] === realm[name])) return
  state.realm.value = { ...realm, ...derived }
}
