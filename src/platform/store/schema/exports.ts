import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { seconds } from './columns.ts'

/** Data exports that administrators requested. */
export const realmExports = sqliteTable(
  'realm_exports',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    actingUserId: integer().notNull(),
    /** Public data only, or also the private data of users who consented. */
    type: text({ enum: ['public', 'full_with_consent'] }).notNull(),
    requestedAt: seconds().notNull(),
    /** The secret part of the download URL: 32 hex digits. */
    token: text().notNull(),
    /** Null until the export is complete, and after it was deleted. */
    fileHash: text(),
    failedAt: seconds(),
    deletedAt: seconds(),
  },
  (t) => [
    uniqueIndex('realm_exports_token').on(t.token),
    index('realm_exports_file').on(t.fileHash),
    index('realm_exports_pending')
      .on(t.requestedAt)
      .where(sql`file_hash IS NULL AND failed_at IS NULL AND deleted_at IS NULL`),
  ],
)
