import { type Column, getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { prepared } from './prepared.ts'
import { rowMaker } from './rows.ts'
import type { Tx } from './store.ts'

/**
 * Returns a function that inserts rows into a table with one prepared statement; missing columns
 * get their default. Drizzle's own prepared inserts cannot bind null to boolean or JSON columns.
 *
 * @returns the stored row, with its ID
 */
export function preparedInsert<T extends SQLiteTable>(
  table: T,
): (tx: Tx, row: T['$inferInsert']) => T['$inferSelect'] {
  const makeRow = rowMaker(table)
  const columns = Object.entries<Column>(getTableColumns(table))
  const insert = prepared((db) => {
    const values = Object.fromEntries(columns.map(([key]) => [key, sql.placeholder(key)]))
    const query = db.insert(table).values(values as T['$inferInsert'])
    return db.$client.prepare<unknown[], unknown[]>(query.returning().toSQL().sql).raw()
  })
  return (tx, row) => {
    const given: Record<string, unknown> = row
    const bound = columns.map(([key, column]) => {
      const value = given[key] ?? column.default ?? null
      return value === null ? null : column.mapToDriverValue(value)
    })
    return makeRow(insert(tx).get(...bound) ?? [])
  }
}
