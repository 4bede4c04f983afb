import { getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './open.ts'
import { perDatabase } from './per-database.ts'
import type { Read } from './write.ts'

/** How often each watched table of a database has changed, and all of them together. */
const changes = perDatabase((db) => {
  const state = { all: 0, counts: new Map<string, number>() }
  db.$client.function('count_change', (table) => {
    state.all += 1
    state.counts.set(String(table), (state.counts.get(String(table)) ?? 0) + 1)
    return null
  })
  return state
})

/** Counts each change of a row in a table from now on, also those that are undone later. */
function watch(db: Db, table: string): void {
  for (const change of ['INSERT', 'UPDATE', 'DELETE']) {
    db.$client.exec(
      `CREATE TEMP TRIGGER count_${change}_${table} AFTER ${change} ON main.${table}
       BEGIN SELECT count_change('${table}'); END`,
    )
  }
}

/**
 * Keeps what is read from whole tables until one of them changes: for values that many callers
 * share and that take long to make.
 *
 * @param tables every table that `build` reads
 * @param build must not depend on the clock
 * @param most how many values to keep, of different keys
 */
export function derived<K extends string, T>(
  tables: readonly SQLiteTable[],
  build: (read: Read, key: K) => T,
  most: number,
): (read: Read, key: K) => T {
  const names = tables.map(getTableName)
  const state = perDatabase(() => ({
    /** The number of all changes when `at`, that of changes of these tables, was counted. */
    checked: -1,
    at: 0,
    values: new Map<K, { at: number; value: T }>(),
  }))
  return (read, key) => {
    // Within a transaction, a trigger and a value might be undone.
    if (read.db.$client.inTransaction) return build(read, key)
    const own = state(read)
    const { all, counts } = changes(read)
    if (own.checked !== all) {
      for (const name of names) {
        if (counts.has(name)) continue
        watch(read.db, name)
        counts.set(name, 0)
      }
      own.at = names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0)
      own.checked = all
    }
    const { at, values } = own
    const known = values.get(key)
    if (known?.at === at) return known.value
    const value = build(read, key)
    values.delete(key)
    const [oldest] = values.keys()
    if (oldest !== undefined && values.size >= most) values.delete(oldest)
    values.set(key, { at, value })
    return value
  }
}
