import { eq, isNotNull, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { prepared, preparedSql } from '#store/prepared.ts'
import {
  attachments,
  emojiPictures,
  looseFiles,
  realmExports,
  realmPictures,
  resumableParts,
  thumbnails,
  users,
} from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

/**
 * Every column that names contents by their hash. A slice that keeps files adds its own, with an
 * index on it: contents that none of these names are removed.
 */
export const fileColumns: readonly SQLiteColumn[] = [
  attachments.fileHash,
  emojiPictures.fileHash,
  realmExports.fileHash,
  realmPictures.fileHash,
  resumableParts.fileHash,
  thumbnails.fileHash,
  users.avatarHash,
  users.mediumAvatarHash,
]

const naming = prepared((db) =>
  fileColumns.map((column) =>
    db
      .select({ found: sql`1` })
      .from(column.table as SQLiteTable)
      .where(eq(column, sql.placeholder('hash')))
      .limit(1)
      .prepare(),
  ),
)

/** Every hash that a row names, once each. */
export function listNamed({ db }: Read): string[] {
  const named = fileColumns.flatMap((column) =>
    db
      .selectDistinct({ hash: column })
      .from(column.table as SQLiteTable)
      .where(isNotNull(column))
      .all()
      .map(({ hash }) => hash as string),
  )
  return [...new Set(named)]
}

/** Whether any row still names the contents. */
export function isNamed(read: Read, hash: string): boolean {
  return naming(read).some((statement) => statement.get({ hash }) !== undefined)
}

const earliest = preparedSql<{ since: number | null }>(
  'SELECT min(since) AS since FROM loose_files',
)

/** Since when the oldest of the contents that may be unnamed are so; seconds since the epoch. */
export function earliestLoose(read: Read): number | undefined {
  return earliest(read).get({})?.since ?? undefined
}

const loose = preparedSql<{ hash: string }>(
  'SELECT hash FROM loose_files WHERE since <= @until ORDER BY since LIMIT @most',
)

export function listLoose(read: Read, until: number, most: number): string[] {
  return loose(read)
    .all({ until, most })
    .map(({ hash }) => hash)
}

export function upsertLoose(tx: Tx, hash: string, since: number): void {
  tx.db
    .insert(looseFiles)
    .values({ hash, since })
    .onConflictDoUpdate({ target: looseFiles.hash, set: { since } })
    .run()
}

const forget = preparedSql<never>('DELETE FROM loose_files WHERE hash = @hash')

export function deleteLoose(tx: Tx, hash: string): void {
  forget(tx).run({ hash })
}
