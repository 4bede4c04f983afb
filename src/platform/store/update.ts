import { type Column, eq, getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { prepared } from './prepared.ts'
import { rowMaker } from './rows.ts'
import type { Tx } from './store.ts'

/**
 * Returns a function that changes columns of the row with an ID, with one prepared statement for each
 * combination of columns; columns that are undefined stay as they are.
 *
 * @returns the stored row; the row must exist
 */
export function preparedUpdate<T extends SQLiteTable & { readonly id: SQLiteColumn }>(
  table: T,
): (tx: Tx, id: number, changes: Partial<T['$inferInsert']>) => T['$inferSelect'] {
  const makeRow = rowMaker(table)
  const columns = Object.entries<Column>(getTableColumns(table))
  const statements = prepared((db) => {
    const byKeys = new Map<string, ReturnType<typeof prepare>>()
    const prepare = (changed: typeof columns) => {
      const values = Object.fromEntries(changed.map(([key]) => [key, sql.placeholder(key)]))
      const query = db
        .update(table)
        .set(values as Partial<T['$inferInsert']>)
        .where(eq(table.id, sql.placeholder('id')))
      return db.$client.prepare<unknown[], unknown[]>(query.returning().toSQL().sql).raw()
    }
    return (changed: typeof columns) => {
      const keys = changed.map(([key]) => key).join()
      const statement = byKeys.get(keys) ?? prepare(changed)
      byKeys.set(keys, statement)
      return statement
    }
  })
  return (tx, id, changes) => {
    const given: Record<string, unknown> = changes
    const changed = columns.filter(([key]) => given[key] !== undefined)
    const bound = changed.map(([key, column]) => {
      const value = given[key] ?? null
      return value === null ? null : column.mapToDriverValue(value)
    })
    const stored = statements(tx)(changed).get(...bound, id)
    if (!stored) throw new Error(`There is no row ${id} to change.`)
    return makeRow(stored)
  }
}
