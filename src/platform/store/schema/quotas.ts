import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { seconds } from './columns.ts'

/** Uses that count towards limits per hour or day until they expire. */
export const quotaUses = sqliteTable(
  'quota_uses',
  {
    /** The name of the limit. */
    quota: text().notNull(),
    /** The subject, such as the ID of an account or an email address. */
    subject: text().notNull(),
    expiresAt: seconds().notNull(),
    amount: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.quota, t.subject, t.expiresAt] }),
    index('quota_uses_expiry').on(t.expiresAt),
  ],
)
