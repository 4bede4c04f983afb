import * as v from 'valibot'
import { createRealm } from '#features/access/setup/realm.actions.ts'
import { systemGroupId } from '#features/foundation/permissions/membership.queries.ts'
import {
  permissionRules,
  type RealmPermission,
  systemGroups,
} from '#features/foundation/permissions/table.ts'
import { limits } from '#features/foundation/realm/limits.ts'
import {
  setRealmGroupSetting,
  setRealmSetting,
} from '#features/foundation/realm/settings.queries.ts'
import {
  isChannelSetting,
  type RealmSettingName,
  realmSettingRules,
} from '#features/foundation/realm/settings.ts'
import { listUsers } from '#features/foundation/users/queries.ts'
import { setUserDefault } from '#features/foundation/users/settings.queries.ts'
import { type UserDefaultName, userSettingRules } from '#features/foundation/users/settings.ts'
import type { OrganizationItem } from '#features/organization/imports/stream.ts'
import { fixedClock } from '#platform/clock.ts'
import { mendedName } from '#shared/names.ts'
import { groupOf } from './groups.actions.ts'
import { cleanText } from './texts.ts'
import { timeOf, type Work } from './work.actions.ts'

/** Creates the organization that everything else goes into. */
export function writeOrganization(
  work: Work,
  item: OrganizationItem,
  fallback: { readonly name: string; readonly placeholderDomain: string },
): void {
  const { notes, tx } = work
  const created = timeOf(item.created)
  const clock = created === undefined ? tx.clock : fixedClock(created * 1000)
  createRealm(
    { ...tx, clock },
    {
      name: mendedName(item.name ?? '', limits.realmNameLength) || fallback.name,
      description: cleanText(item.description ?? '').slice(0, limits.realmDescriptionLength),
      placeholderDomain: item.placeholderDomain ?? fallback.placeholderDomain,
      ...(item.systemIds && { ids: item.systemIds }),
    },
  )
  for (const name of systemGroups) work.groups.set(name, systemGroupId(tx, name))
  for (const bot of listUsers(tx)) {
    work.people.set(`system:${bot.email.slice(0, bot.email.indexOf('@'))}`, bot.id)
  }
  for (const [name, value] of Object.entries(item.settings ?? {})) {
    if (isChannelSetting(name) || !isSetting(realmSettingRules, name, value)) {
      notes.skipped('settings', 'bad-value', name)
    } else {
      setRealmSetting(tx, name as RealmSettingName, value as never)
      notes.imported('settings')
    }
  }
  for (const [name, value] of Object.entries(item.userDefaults ?? {})) {
    const isDefault = name !== 'allow_private_data_export'
    if (!isDefault || !isSetting(userSettingRules, name, value)) {
      notes.skipped('settings', 'bad-value', `default of ${name}`)
    } else {
      setUserDefault(tx, name as UserDefaultName, value as never)
      notes.imported('settings')
    }
  }
  work.later.push(() => writeReferences(work, item))
}

/** Settings that name groups and channels, which come later than the organization. */
function writeReferences(work: Work, { channelSettings, permissions }: OrganizationItem): void {
  const { channels, notes, tx } = work
  for (const [name, key] of Object.entries(permissions ?? {})) {
    const group = groupOf(work, key, permissionRules.realm[name as RealmPermission])
    if (group === undefined) notes.skipped('settings', 'bad-value', name)
    else {
      setRealmGroupSetting(tx, name as RealmPermission, group)
      notes.imported('settings')
    }
  }
  for (const [name, key] of Object.entries(channelSettings ?? {})) {
    const channel = key === null ? undefined : channels.get(key)
    if (key !== null && !channel) notes.skipped('settings', 'absent', name)
    else if (!isChannelSetting(name) || !isSetting(realmSettingRules, name, channel?.id ?? -1)) {
      notes.skipped('settings', 'bad-value', name)
    } else {
      setRealmSetting(tx, name as RealmSettingName, (channel?.id ?? -1) as never)
      notes.imported('settings')
    }
  }
}

/** Whether there is a setting of this name, and it can have this value. */
export function isSetting(
  rules: Readonly<Record<string, { readonly schema: v.GenericSchema }>>,
  name: string,
  value: unknown,
): boolean {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  return rule !== undefined && v.is(rule.schema, value)
}
