import { sql } from 'drizzle-orm'
import * as v from 'valibot'
import { cached } from '#platform/store/cached.ts'
import { jsonText } from '#platform/store/json.ts'
import { prepared } from '#platform/store/prepared.ts'
import { realmSettings } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { allRealmSettingRules, type RealmSettingName, type RealmSettingValue } from './settings.ts'

const stored = prepared((db) => db.select().from(realmSettings).prepare())

/** The settings that differ from their defaults; permission settings as group ids. */
const chosen = cached((read) => {
  const rows = stored(read).all()
  return new Map(rows.map(({ name, value }) => [name, value]))
})
const all = 'all'

/** The value of a setting: the stored one, or the default. */
export function realmSetting<N extends RealmSettingName>(
  read: Read,
  name: N,
): RealmSettingValue<N> {
  const value = chosen.get(read, all).get(name)
  return (value === undefined ? allRealmSettingRules[name].fallback : value) as RealmSettingValue<N>
}

/**
 * The id of the group stored for a permission setting; undefined if none is stored, so that the
 * default in the permission table applies.
 *
 * @param name of a permission of the organization; `permissions/` alone calls this, and knows them
 */
export function chosenRealmGroup(read: Read, name: string): number | undefined {
  return chosen.get(read, all).get(name) as number | undefined
}

/** Stores the value of a plain setting. */
export function setRealmSetting<N extends RealmSettingName>(
  tx: Tx,
  name: N,
  value: RealmSettingValue<N>,
): void {
  upsert(tx, name, v.parse(allRealmSettingRules[name].schema, value))
}

/** Stores the group of a permission setting; `storeGroupSetting` makes groups of values. */
export function setRealmGroupSetting(tx: Tx, name: string, groupId: number): void {
  upsert(tx, name, groupId)
}

function upsert(tx: Tx, name: string, value: unknown): void {
  tx.db
    .insert(realmSettings)
    .values({ name, value: jsonText(value) })
    .onConflictDoUpdate({ target: realmSettings.name, set: { value: sql`excluded.value` } })
    .run()
  chosen.forget(tx, all)
}
