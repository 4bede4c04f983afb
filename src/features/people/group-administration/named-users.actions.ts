import { channelPermissions } from '#features/foundation/channels/json.ts'
import { listChannels } from '#features/foundation/channels/queries.ts'
import { trackChannelSettings } from '#features/foundation/channels/visibility.actions.ts'
import { groupUpdateEvent } from '#features/foundation/groups/events.ts'
import { groupPermissions } from '#features/foundation/groups/json.ts'
import { listAnonymousGroupsOf, listGroups } from '#features/foundation/groups/queries.ts'
import { groupSettingValue } from '#features/foundation/groups/setting-values.queries.ts'
import {
  changedPolicies,
  legacyPolicies,
} from '#features/foundation/permissions/legacy-policies.queries.ts'
import { realmGroupSetting } from '#features/foundation/permissions/membership.queries.ts'
import { channelColumn, groupColumn } from '#features/foundation/permissions/rules.ts'
import { permissionRules, type RealmPermission } from '#features/foundation/permissions/table.ts'
import { realmUpdateEvent } from '#features/foundation/realm/events.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { Tx } from '#platform/store/store.ts'

const everybody = () => true

/**
 * Remembers the settings whose values contain a user directly, before the user is deactivated or
 * reactivated: values on the wire omit deactivated users.
 *
 * @source Zulip API, "Group-setting values" (feature level 303)
 */
export function trackSettingsNaming(tx: Tx, user: User): { emitChanges(): void } {
  const values = new Set(listAnonymousGroupsOf(tx, user.id))
  if (values.size === 0) return { emitChanges() {} }
  const policies = legacyPolicies(tx)
  const channels = listChannels(tx)
    .filter((channel) =>
      channelPermissions.some((name) => values.has(channel[channelColumn(name)])),
    )
    .map((channel) => trackChannelSettings(tx, channel))
  return {
    emitChanges() {
      const data = {
        ...realmValues(tx, values),
        ...changedPolicies(policies, legacyPolicies(tx)),
      }
      if (Object.keys(data).length > 0) tx.emit(realmUpdateEvent(data), everybody)
      emitGroupSettings(tx, values)
      for (const channel of channels) channel.emitChanges()
    },
  }
}

function realmValues(tx: Tx, values: ReadonlySet<number>): Record<string, unknown> {
  const names = Object.keys(permissionRules.realm) as RealmPermission[]
  return Object.fromEntries(
    names
      .map((name) => [name, realmGroupSetting(tx, name)] as const)
      .filter(([, value]) => values.has(value))
      .map(([name, value]) => [name, groupSettingValue(tx, value)]),
  )
}

function emitGroupSettings(tx: Tx, values: ReadonlySet<number>): void {
  for (const group of listGroups(tx)) {
    const data = groupPermissions.flatMap((name) => {
      const value = group[groupColumn(name)]
      return value !== null && values.has(value) ? [[name, groupSettingValue(tx, value)]] : []
    })
    if (data.length > 0) tx.emit(groupUpdateEvent(group, Object.fromEntries(data)), everybody)
  }
}
