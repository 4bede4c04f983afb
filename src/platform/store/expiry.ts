import { lte } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Tx } from './store.ts'

/**
 * Deletes the expired rows of a table. A table that only grows while it is used calls this before
 * it inserts a row, and needs no job.
 *
 * @param time the column with the time at which a row expires
 * @param until in seconds since the epoch
 */
export function deleteUntil(tx: Tx, time: SQLiteColumn, until: number): void {
  tx.db
    .delete(time.table as SQLiteTable)
    .where(lte(time, until))
    .run()
}
