import { eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { systemGroupId } from '#permissions/groups.ts'
import { permissionRules, type RealmPermission } from '#permissions/table.ts'
import { prepared } from '#store/prepared.ts'
import { realmSettings } from '#store/schema.ts'
import type { Read } from '#store/write.ts'

/** One setting of the organization. */
interface RealmSetting<T> {
  readonly schema: v.GenericSchema<unknown, T>
  readonly fallback: T
}

const bool = (fallback: boolean): RealmSetting<boolean> => ({ schema: v.boolean(), fallback })
const int = (fallback: number): RealmSetting<number> => ({ schema: v.number(), fallback })

/**
 * Every plain setting of the organization, under its wire name without `realm_`. Permission
 * settings are in permissions/table.ts.
 *
 * @source api-changes §7b; the API description of `POST /register`
 */
export const realmSettingRules = {
  waiting_period_threshold: int(0),
  enable_read_receipts: bool(true),
} as const satisfies Record<string, RealmSetting<unknown>>

export type RealmSettingName = keyof typeof realmSettingRules
export type RealmSettingValue<N extends RealmSettingName> =
  (typeof realmSettingRules)[N] extends RealmSetting<infer T> ? T : never

const stored = prepared((db) =>
  db
    .select({ value: realmSettings.value })
    .from(realmSettings)
    .where(eq(realmSettings.name, sql.placeholder('name')))
    .prepare(),
)

/** The value of a setting: what was set, or the default. */
export function realmSetting<N extends RealmSettingName>(
  read: Read,
  name: N,
): RealmSettingValue<N> {
  const row = stored(read).get({ name })
  return (row ? row.value : realmSettingRules[name].fallback) as RealmSettingValue<N>
}

/** The group that holds a permission of the organization: the id of a named or anonymous group. */
export function realmGroupSetting(read: Read, name: RealmPermission): number {
  const row = stored(read).get({ name })
  if (row) return row.value as number
  return systemGroupId(read, permissionRules.realm[name].default)
}
