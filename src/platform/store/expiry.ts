import { lte } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Tx } from './write.ts'

/**
 * Deletes the rows of a table that are over. A store that only grows while it is used calls it
 * before it inserts a row, and needs no job.
 *
 * @param time the column with the time after which, or at which, a row is of no use
 * @param until in seconds since the epoch
 */
export function deleteUntil(tx: Tx, time: SQLiteColumn, until: number): void {
  tx.db
    .delete(time.table as SQLiteTable)
    .where(lte(time, until))
    .run()
}
