import { Column, getTableColumns } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

/** The columns of a table, as they are named in its rows. */
export type ColumnKey<T extends SQLiteTable> = keyof T['$inferSelect'] & string

/**
 * Returns a function that makes a row of the values of columns of a table, in their order. Drizzle's
 * own takes as long again as reading them.
 *
 * @param keys of the columns; default: of all
 */
export function rowMaker<T extends SQLiteTable, K extends ColumnKey<T> = ColumnKey<T>>(
  table: T,
  keys?: readonly K[],
): (values: readonly unknown[]) => Pick<T['$inferSelect'], K> {
  const all: Record<string, Column> = getTableColumns(table)
  const columns = (keys ?? Object.keys(all)).map((key) => {
    const column = all[key]
    const isAsStored = column?.mapFromDriverValue === Column.prototype.mapFromDriverValue
    return { key, column: isAsStored ? undefined : column }
  })
  const empty: Record<string, unknown> = Object.fromEntries(columns.map(({ key }) => [key, null]))
  return (values) => {
    // A copy has room for all columns from the start.
    const row = { ...empty }
    for (let i = 0; i < columns.length; i++) {
      const { key = '', column } = columns[i] ?? {}
      const value = values[i] ?? null
      row[key] = column && value !== null ? column.mapFromDriverValue(value) : value
    }
    return row as Pick<T['$inferSelect'], K>
  }
}
