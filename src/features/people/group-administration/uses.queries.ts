import { listChannels } from '#features/foundation/channels/queries.ts'
import { groupPermissions } from '#features/foundation/groups/json.ts'
import { type Group, listGroups, listSupergroups } from '#features/foundation/groups/queries.ts'
import { realmGroupSetting } from '#features/foundation/permissions/membership.queries.ts'
import { channelColumn, groupColumn } from '#features/foundation/permissions/rules.ts'
import {
  type ChannelPermission,
  permissionRules,
  type RealmPermission,
} from '#features/foundation/permissions/table.ts'
import type { Read } from '#platform/store/store.ts'

/** One of the `objections` to deactivating a group (feature level 298). */
export type GroupUse =
  | { type: 'realm'; settings: string[] }
  | { type: 'channel'; channel_id: number; settings: string[] }
  | { type: 'user_group'; group_id: number; settings: string[] }
  | { type: 'subgroup'; supergroup_ids: number[] }

/** The settings whose values contain a group, alone or with others, and its active supergroups. */
export function listUses(read: Read, group: Group): GroupUse[] {
  const supergroups = listSupergroups(read, group.id)
  const values = new Set([
    group.id,
    ...supergroups.filter(({ name }) => name === null).map(({ id }) => id),
  ])
  const uses: GroupUse[] = []
  const realm = (Object.keys(permissionRules.realm) as RealmPermission[]).filter((setting) =>
    values.has(realmGroupSetting(read, setting)),
  )
  if (realm.length > 0) uses.push({ type: 'realm', settings: realm })
  const channelSettings = Object.keys(permissionRules.stream) as ChannelPermission[]
  for (const channel of listChannels(read)) {
    const settings = channelSettings.filter((name) => values.has(channel[channelColumn(name)]))
    if (settings.length > 0) uses.push({ type: 'channel', channel_id: channel.id, settings })
  }
  const groups = listGroups(read).filter(({ deactivated }) => !deactivated)
  for (const other of groups) {
    const settings = groupPermissions.filter((name) => values.has(other[groupColumn(name)] ?? 0))
    if (other.id !== group.id && settings.length > 0) {
      uses.push({ type: 'user_group', group_id: other.id, settings })
    }
  }
  const active = new Set(groups.map(({ id }) => id))
  const supergroup_ids = supergroups.map(({ id }) => id).filter((id) => active.has(id))
  if (supergroup_ids.length > 0) uses.push({ type: 'subgroup', supergroup_ids })
  return uses
}
