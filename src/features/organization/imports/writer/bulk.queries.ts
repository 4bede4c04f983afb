import { type Column, getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '#platform/store/open.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/**
 * Returns a function that inserts rows in bulk, with one prepared statement that returns nothing. A
 * row that conflicts with an existing one is left out.
 *
 * @returns whether the row was inserted
 */
export function bulkInsert<T extends SQLiteTable>(
  table: T,
): (tx: Tx, row: T['$inferInsert']) => boolean {
  const columns = Object.entries<Column>(getTableColumns(table))
  const statement = prepared((db) => {
    const values = Object.fromEntries(columns.map(([key]) => [key, sql.placeholder(key)]))
    const query = db
      .insert(table)
      .values(values as T['$inferInsert'])
      .onConflictDoNothing()
    return db.$client.prepare<unknown[]>(query.toSQL().sql)
  })
  return (tx, row) => {
    const given: Record<string, unknown> = row
    const bound = columns.map(([key, column]) => {
      const value = given[key] ?? column.default ?? null
      return value === null ? null : column.mapToDriverValue(value)
    })
    return statement(tx).run(...bound).changes > 0
  }
}

/** Tables with so many rows that their indexes are made once all rows are in them. */
const large = ['messages', 'reactions', 'message_flags', 'attachment_claims', 'subscriptions']

/**
 * Prepares a new database that nobody else has for writing a lot in one go: if anything goes wrong,
 * it is thrown away as a whole.
 *
 * @param spool the path of another database, for sorting
 */
export function beginBulk(db: Db, spool: string): void {
  db.$client.pragma('journal_mode = OFF')
  db.$client.pragma('synchronous = OFF')
  db.$client.pragma('temp_store = FILE')
  db.$client.pragma('cache_size = -16384')
  db.$client.prepare('ATTACH ? AS spool').run(spool)
  db.$client.pragma('spool.journal_mode = OFF')
  db.$client.pragma('spool.synchronous = OFF')
  db.$client.pragma('spool.cache_size = -16384')
  db.$client.exec('BEGIN')
}

/** Ends a transaction in between, so that little waits in memory. */
export function continueBulk({ db }: Tx): void {
  db.$client.exec('COMMIT; BEGIN')
}

/** Ends it: the database is one file that a server can open. */
export function endBulk(db: Db): void {
  db.$client.exec('COMMIT')
  db.$client.exec('DETACH spool')
  db.$client.exec('PRAGMA optimize')
  db.$client.pragma('journal_mode = DELETE')
}

/** An index that is made later: the statement that makes it. */
export function dropLargeIndexes(db: Db): string[] {
  const found = db.$client
    .prepare<[string], { name: string; sql: string }>(
      `SELECT name, sql FROM main.sqlite_master WHERE type = 'index' AND sql IS NOT NULL
         AND tbl_name IN (SELECT value FROM json_each(?)) AND sql NOT LIKE 'CREATE UNIQUE%'`,
    )
    .all(JSON.stringify(large))
  for (const { name } of found) db.$client.exec(`DROP INDEX main."${name}"`)
  return found.map(({ sql: statement }) => statement)
}

export function makeIndex(db: Db, statement: string): void {
  db.$client.exec(statement)
}

const upsertFlags = preparedSql(`
  INSERT INTO message_flags (user_id, message_id, flags) VALUES (@userId, @messageId, @flags)
  ON CONFLICT (user_id, message_id) DO UPDATE SET flags = flags | excluded.flags`)

/** Adds flags of a message for one person. */
export function putFlags(tx: Tx, userId: number, messageId: number, flags: number): void {
  upsertFlags(tx).run({ userId, messageId, flags })
}

const newest = preparedSql<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM main.messages')

/** The ID of the newest message; 0: there is none. */
export function newestMessage(read: Read): number {
  return newest(read).get({})?.id ?? 0
}

interface MessageTime {
  readonly id: number
  readonly sentAt: number
}

const timesAt = {
  before: preparedSql<MessageTime>(
    'SELECT id, sent_at AS sentAt FROM messages WHERE id <= @id ORDER BY id DESC LIMIT 1',
  ),
  after: preparedSql<MessageTime>(
    'SELECT id, sent_at AS sentAt FROM messages WHERE id >= @id ORDER BY id LIMIT 1',
  ),
}

/** The message with an ID, or the nearest one on one side of it. */
export function findTimeAt(
  read: Read,
  id: number,
  side: keyof typeof timesAt,
): MessageTime | undefined {
  return timesAt[side](read).get({ id })
}

/** A person in a conversation in which they may have read something. */
export interface Membership {
  readonly userId: number
  readonly recipientId: number
  /** Null for a direct conversation. */
  readonly channelId: number | null
}

/** The start of the next page: after a person in a channel, or in a conversation. */
export interface After {
  readonly userId: number
  readonly placeId: number
}

const memberships = preparedSql<Membership>(`
  SELECT b.user_id AS userId, c.recipient_id AS recipientId, c.id AS channelId
  FROM subscriptions b JOIN channels c ON c.id = b.channel_id
  WHERE (b.user_id, b.channel_id) > (@userId, @placeId)
  ORDER BY b.user_id, b.channel_id LIMIT @most`)

export function listMemberships(read: Read, after: After, most: number): Membership[] {
  return memberships(read).all({ ...after, most })
}

const directMemberships = preparedSql<Membership>(`
  SELECT user_id AS userId, recipient_id AS recipientId, NULL AS channelId FROM direct_members
  WHERE (user_id, recipient_id) > (@userId, @placeId)
  ORDER BY user_id, recipient_id LIMIT @most`)

export function listDirectMemberships(read: Read, after: After, most: number): Membership[] {
  return directMemberships(read).all({ ...after, most })
}

/** Stores the oldest message of each channel. Needs no index: it reads all messages once. */
export function setFirstMessages({ db }: Tx): void {
  db.$client.exec(`
    UPDATE channels SET first_message_id = f.id
    FROM (SELECT recipient_id, min(id) AS id FROM messages GROUP BY recipient_id) f
    WHERE f.recipient_id = channels.recipient_id`)
}
