import { eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { cached } from '#platform/store/cached.ts'
import { jsonText } from '#platform/store/json.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { realmUserDefaults, userSettings as table } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { mostCachedUsers } from './queries.ts'
import {
  type UserDefaultName,
  type UserDefaults,
  type UserSettingName,
  type UserSettings,
  type UserSettingValue,
  userSettingRules,
} from './settings.ts'

const rowsOf = prepared((db) =>
  db
    .select({ name: table.name, value: table.value })
    .from(table)
    .where(eq(table.userId, sql.placeholder('userId')))
    .prepare(),
)

/** A user's stored settings, by name. */
const chosen = cached((read, userId: number) => {
  const rows = rowsOf(read).all({ userId })
  return new Map(rows.map(({ name, value }) => [name, value]))
}, mostCachedUsers)

/** One setting of a user; the built-in default if nothing is stored. */
export function userSetting<N extends UserSettingName>(
  read: Read,
  userId: number,
  name: N,
): UserSettingValue<N> {
  const value = chosen.get(read, userId).get(name)
  return (value ?? userSettingRules[name].fallback) as UserSettingValue<N>
}

/** All settings of a user. */
export function userSettings(read: Read, userId: number): UserSettings {
  return { ...builtIn, ...Object.fromEntries(chosen.get(read, userId)) }
}

const builtIn = Object.fromEntries(
  Object.entries(userSettingRules).map(([name, { fallback }]) => [name, fallback]),
) as UserSettings

const upsertSetting = preparedSql(`
  INSERT INTO user_settings (user_id, name, value) VALUES (@userId, @name, @value)
  ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value`)

/** Stores one setting of a user. */
export function setUserSetting<N extends UserSettingName>(
  tx: Tx,
  userId: number,
  name: N,
  value: UserSettingValue<N>,
): void {
  const stored = JSON.stringify(v.parse(userSettingRules[name].schema, value))
  upsertSetting(tx).run({ userId, name, value: stored })
  chosen.forget(tx, userId)
}

const defaultRows = prepared((db) => db.select().from(realmUserDefaults).prepare())

/** The settings that new users start with. */
export function userDefaults(read: Read): UserDefaults {
  const { allow_private_data_export: _, ...defaults } = builtIn
  const rows = defaultRows(read).all()
  return { ...defaults, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) }
}

/** Stores a default for users created from now on. */
export function setUserDefault<N extends UserDefaultName>(
  tx: Tx,
  name: N,
  value: UserSettingValue<N>,
): void {
  tx.db
    .insert(realmUserDefaults)
    .values({ name, value: jsonText(v.parse(userSettingRules[name].schema, value)) })
    .onConflictDoUpdate({ target: realmUserDefaults.name, set: { value: sql`excluded.value` } })
    .run()
}

const copyDefaults = preparedSql(`
  INSERT INTO user_settings (user_id, name, value)
  SELECT @userId, name, value FROM realm_settings WHERE name = 'default_language'
  UNION ALL SELECT @userId, name, value FROM realm_user_defaults WHERE true
  ON CONFLICT (user_id, name) DO UPDATE SET value = excluded.value`)

/**
 * Copies the organization's defaults into a new user's own settings, so that later changes of the
 * defaults do not affect them. The default language is the organization's, unless the defaults
 * include one.
 */
export function copyUserDefaults(tx: Tx, userId: number): void {
  copyDefaults(tx).run({ userId })
  chosen.forget(tx, userId)
}
