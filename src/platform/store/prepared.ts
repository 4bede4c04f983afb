import { getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type NamedStatement, prepareNamed } from './named.ts'
import type { Db } from './open.ts'
import { perDatabase } from './per-database.ts'
import { type ColumnKey, rowMaker } from './rows.ts'
import type { Read } from './store.ts'

/**
 * Prepares statements built with Drizzle once per database, for queries that run per message, per
 * request or per poll.
 */
export function prepared<T>(build: (db: Db) => T): (read: Read) => T {
  return perDatabase(build)
}

/** The same for SQL that Drizzle cannot express. The parameters are an object, for `@name`. */
export function preparedSql<Row>(source: string): (read: Read) => NamedStatement<Row> {
  return prepared((db) => prepareNamed<Row>(db.$client, source))
}

/**
 * Reads all rows of a table that have one of many values in a column, ascending by their IDs.
 *
 * @param column of integers
 * @param keys of the columns to read; default: of all
 */
export function preparedRows<
  T extends SQLiteTable & { readonly id: SQLiteColumn },
  K extends ColumnKey<T> = ColumnKey<T>,
>(
  table: T,
  column: SQLiteColumn = table.id,
  keys?: readonly K[],
): (read: Read, values: readonly number[]) => Pick<T['$inferSelect'], K>[] {
  const makeRow = rowMaker(table, keys)
  const rows = prepared((db) => {
    const all: Record<string, SQLiteColumn> = getTableColumns(table)
    const query = db
      .select(keys ? Object.fromEntries(keys.map((key) => [key, all[key] ?? column])) : all)
      .from<SQLiteTable>(table)
      .where(sql`${column} IN (SELECT value FROM json_each(${sql.placeholder('values')}))`)
      .orderBy(table.id)
    return db.$client.prepare<[string], unknown[]>(query.toSQL().sql).raw()
  })
  return (read, values) => rows(read).all(JSON.stringify(values)).map(makeRow)
}
