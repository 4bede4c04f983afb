import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { seconds } from '#platform/clock.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** A rate limit, and the subject whose uses to count. */
interface Uses {
  readonly quota: { readonly name: string; readonly seconds: number }
  readonly key: string
}

/** Makes a function that counts the rows with a value in a column, or all rows without one. */
export function rowCounter(
  table: SQLiteTable,
  column: SQLiteColumn | undefined,
  which: SQL | undefined,
): (read: Read, value: number) => number {
  const counted = prepared((db) =>
    db
      .select({ rows: count() })
      .from(table)
      .where(and(column && eq(column, sql.placeholder('value')), which))
      .prepare(),
  )
  return (read, value) => counted(read).get({ value })?.rows ?? 0
}

/** Ignores uses in the future, left by a clock that was ahead. */
const current = 'quota = @quota AND subject = @key AND expires_at > @now AND expires_at <= @last'

const total = preparedSql<{ amount: number }>(
  `SELECT coalesce(sum(amount), 0) AS amount FROM quota_uses WHERE ${current}`,
)

/** How much of a rate limit is used now. */
export function sumOfUses(read: Read, uses: Uses): number {
  return total(read).get(parameters(read, uses))?.amount ?? 0
}

const listed = preparedSql<{ expiresAt: number; amount: number }>(
  `SELECT expires_at AS expiresAt, amount FROM quota_uses WHERE ${current} ORDER BY expires_at`,
)

/** The current uses, earliest expiry first. */
export function listUses(read: Read, uses: Uses): { expiresAt: number; amount: number }[] {
  return listed(read).all(parameters(read, uses))
}

const expired = preparedSql('DELETE FROM quota_uses WHERE expires_at <= @now')
const added = preparedSql(`
  INSERT INTO quota_uses (quota, subject, expires_at, amount) VALUES (@quota, @key, @last, @amount)
  ON CONFLICT DO UPDATE SET amount = amount + excluded.amount
`)

/** Counts a use from now on, and deletes expired ones. */
export function insertUse(tx: Tx, uses: Uses, amount: number): void {
  const { quota, key, now, last } = parameters(tx, uses)
  expired(tx).run({ now })
  added(tx).run({ quota, key, last, amount })
}

function parameters(read: Read, { quota, key }: Uses) {
  const now = seconds(read.clock)
  return { quota: quota.name, key, now, last: now + quota.seconds }
}
