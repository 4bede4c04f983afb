import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { seconds } from './columns.ts'

/** Data exports that administrators requested. */
export const realmExports = sqliteTable(
  'realm_exports',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    actingUserId: integer().notNull(),
    /** Public data only, also the private data of users who consented, or all. */
    type: text({ enum: ['public', 'full_with_consent', 'everything'] }).notNull(),
    /** Parley's own form, which administrators ask for, or one of the history, which owners do. */
    format: text({ enum: ['parley', 'zulip', 'archive'] })
      .notNull()
      .default('parley'),
    /** The release of Zulip that it is for; null: none. */
    zulipRelease: integer(),
    /** What was left out, in sentences; null: nothing, or it is not complete. */
    notes: text({ mode: 'json' }).$type<readonly string[]>(),
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
