import { asc, eq, sql } from 'drizzle-orm'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { botStorage } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type StorageEntry = readonly [key: string, value: string]

const everything = prepared((db) =>
  db
    .select()
    .from(botStorage)
    .where(eq(botStorage.userId, sql.placeholder('userId')))
    .orderBy(asc(botStorage.key))
    .prepare(),
)

/** A bot's entries, by key. */
export function listEntries(read: Read, userId: number): StorageEntry[] {
  return everything(read)
    .all({ userId })
    .map(({ key, value }) => [key, value])
}

const one = preparedSql<{ value: string }>(
  'SELECT value FROM bot_storage WHERE user_id = @userId AND key = @key',
)

export function findValue(read: Read, userId: number, key: string): string | undefined {
  return one(read).get({ userId, key })?.value
}

const total = preparedSql<{ size: number }>(
  'SELECT coalesce(sum(size), 0) AS size FROM bot_storage WHERE user_id = @userId',
)

/** The total size of a bot's entries, in characters. */
export function storedSize(read: Read, userId: number): number {
  return total(read).get({ userId })?.size ?? 0
}

const sizeOfOne = preparedSql<{ size: number }>(
  'SELECT size FROM bot_storage WHERE user_id = @userId AND key = @key',
)

/** The size of an entry, in characters; undefined if there is none. */
export function findSize(read: Read, userId: number, key: string): number | undefined {
  return sizeOfOne(read).get({ userId, key })?.size
}

const upsertOne = preparedSql(`
  INSERT INTO bot_storage (user_id, key, value, size) VALUES (@userId, @key, @value, @size)
  ON CONFLICT (user_id, key) DO UPDATE SET value = excluded.value, size = excluded.size`)

/** @param size of key and value together, in characters */
export function putEntry(tx: Tx, userId: number, [key, value]: StorageEntry, size: number): void {
  upsertOne(tx).run({ userId, key, value, size })
}

const deleteOne = preparedSql('DELETE FROM bot_storage WHERE user_id = @userId AND key = @key')

/** Returns false if there is no such key. */
export function deleteEntry(tx: Tx, userId: number, key: string): boolean {
  return deleteOne(tx).run({ userId, key }).changes > 0
}
