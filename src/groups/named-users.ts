import { channelPermissions } from '#channels/json.ts'
import { listChannels } from '#channels/queries.ts'
import { watchValues } from '#channels/witnesses.ts'
import { channelColumn, groupColumn } from '#permissions/can.ts'
import { permissionRules, type RealmPermission } from '#permissions/table.ts'
import { groupSettingValue } from '#permissions/values.ts'
import { realmUpdateEvent } from '#realm/events.ts'
import { changedPolicies, legacyPolicies } from '#realm/legacy-policies.ts'
import { realmGroupSetting } from '#realm/settings.ts'
import type { Tx } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { groupUpdateEvent } from './events.ts'
import { groupPermissions } from './json.ts'
import { listAnonymousGroupsOf, listGroups } from './queries.ts'

const everybody = () => true

/**
 * Remembers the settings whose values name a user directly, before the user is deactivated or comes
 * back: deactivated users are in no value.
 *
 * @source api-changes §1 (feature level 303)
 */
export function watchValuesOf(tx: Tx, user: User): { tell(): void } {
  const values = new Set(listAnonymousGroupsOf(tx, user.id))
  if (values.size === 0) return { tell() {} }
  const policies = legacyPolicies(tx)
  const channels = listChannels(tx)
    .filter((channel) =>
      channelPermissions.some((name) => values.has(channel[channelColumn(name)])),
    )
    .map((channel) => watchValues(tx, channel))
  return {
    tell() {
      const data = {
        ...realmValues(tx, values),
        ...changedPolicies(policies, legacyPolicies(tx)),
      }
      if (Object.keys(data).length > 0) tx.emit(realmUpdateEvent(data), everybody)
      tellOfGroups(tx, values)
      for (const channel of channels) channel.tell()
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

function tellOfGroups(tx: Tx, values: ReadonlySet<number>): void {
  for (const group of listGroups(tx)) {
    const data = groupPermissions.flatMap((name) => {
      const value = group[groupColumn(name)]
      return value !== null && values.has(value) ? [[name, groupSettingValue(tx, value)]] : []
    })
    if (data.length > 0) tx.emit(groupUpdateEvent(group, Object.fromEntries(data)), everybody)
  }
}
