import type { GroupValue } from '#client/settings/ui/group-value.ts'
import { settingFromWire } from '#client/state/from-wire.ts'
import type { Permissions } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'

/** The uses of a group: permissions by their names on the wire, and groups that contain it. */
export interface GroupUses {
  readonly realm: readonly string[]
  readonly channels: readonly Use[]
  readonly groups: readonly Use[]
  /** The ids of the groups that it is a direct part of. */
  readonly supergroups: readonly number[]
}

/** The permissions of one channel or group. */
interface Use {
  readonly id: number
  readonly permissions: readonly string[]
}

type Known = Pick<Store, 'realm' | 'channels' | 'groups'>

/** All references to a group that the user can see. */
export function usesOf(groupId: number, { realm, channels, groups }: Known): GroupUses {
  const settings: Readonly<Record<string, unknown>> = realm.value
  const rules = realm.value.server_supported_permission_settings.realm
  const inUse = (table: Iterable<{ readonly id: number; readonly permissions: Permissions }>) =>
    [...table].flatMap(({ id, permissions }) => {
      const names = Object.keys(permissions).filter((name) => contains(permissions[name], groupId))
      return names.length > 0 ? [{ id, permissions: names }] : []
    })
  const active = [...groups.all.values()].filter(({ isDeactivated }) => !isDeactivated)
  return {
    realm: Object.keys(rules).filter((name) =>
      contains(settingFromWire(settings[`realm_${name}`] as never), groupId),
    ),
    channels: inUse(channels.all.values()),
    groups: inUse(active.filter(({ id }) => id !== groupId)),
    supergroups: active.filter(({ subgroupIds }) => subgroupIds.has(groupId)).map(({ id }) => id),
  }
}

function contains(value: GroupValue | undefined, groupId: number): boolean {
  if (value === undefined || typeof value === 'number') return value === groupId
  return value.subgroups.includes(groupId)
}

/** Whether anything refers to it, so that the server keeps it from being deactivated. */
export function isUsed({ realm, channels, groups, supergroups }: GroupUses): boolean {
  return realm.length + channels.length + groups.length + supergroups.length > 0
}
