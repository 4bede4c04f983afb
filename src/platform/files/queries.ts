import { eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import {
  attachments,
  emojiPictures,
  looseFiles,
  realmExports,
  realmPictures,
  resumableParts,
  thumbnails,
  users,
} from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/**
 * Every column that references contents by hash. A feature that stores files adds its column here,
 * with an index: contents that none of these columns references are removed.
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

/** The columns among `fileColumns` of pictures that the server has derived from others. */
const pictureColumns: readonly SQLiteColumn[] = [
  emojiPictures.fileHash,
  realmPictures.fileHash,
  thumbnails.fileHash,
  users.avatarHash,
  users.mediumAvatarHash,
]

/** How many hashes `listPictures` reads at a time. */
const page = 500

/**
 * The hashes of the pictures that the server has made, without reading many at a time. A hash that
 * several tables have may come several times.
 */
export function* listPictures({ db }: Read): Generator<string[]> {
  for (const column of pictureColumns) {
    const query = db
      .selectDistinct({ hash: column })
      .from(column.table as SQLiteTable)
      .where(gt(column, sql.placeholder('after')))
      .orderBy(column)
      .limit(page)
      .prepare()
    let last = ''
    while (true) {
      const hashes = query.all({ after: last }).map(({ hash }) => hash as string)
      if (hashes.length > 0) yield hashes
      last = hashes.at(-1) ?? ''
      if (hashes.length < page) break
    }
  }
}

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

/** The distinct hashes that rows reference. */
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

const anyOf = prepared((db) =>
  fileColumns.map((column) =>
    db
      .select({ hash: column })
      .from(column.table as SQLiteTable)
      .where(isNotNull(column))
      .limit(1)
      .prepare(),
  ),
)

/** The hash of any contents that a row references; undefined: there are none. */
export function anyNamed(read: Read): string | undefined {
  for (const statement of anyOf(read)) {
    const found = statement.get()
    if (found) return found.hash as string
  }
  return undefined
}

/** Whether any row references the contents. */
export function isNamed(read: Read, hash: string): boolean {
  return naming(read).some((statement) => statement.get({ hash }) !== undefined)
}

const earliest = preparedSql<{ since: number | null }>(
  'SELECT min(since) AS since FROM loose_files',
)

/** When the oldest possibly unreferenced contents were marked, in seconds since the epoch. */
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

/**
 * Keeps the latest time: contents that were just stored stay even if a row stops referencing them.
 */
export function upsertLoose(tx: Tx, hash: string, since: number): void {
  tx.db
    .insert(looseFiles)
    .values({ hash, since })
    .onConflictDoUpdate({
      target: looseFiles.hash,
      set: { since: sql`max(${looseFiles.since}, excluded.since)` },
    })
    .run()
}

const listed = preparedSql<{ found: 1 }>('SELECT 1 AS found FROM loose_files WHERE hash = @hash')

/** Whether the contents are listed as possibly unreferenced. */
export function isLoose(read: Read, hash: string): boolean {
  return listed(read).get({ hash }) !== undefined
}

const forget = preparedSql<never>('DELETE FROM loose_files WHERE hash = @hash')

export function deleteLoose(tx: Tx, hash: string): void {
  forget(tx).run({ hash })
}
