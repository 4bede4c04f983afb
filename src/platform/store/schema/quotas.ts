import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { seconds } from './columns.ts'

/** What counts towards limits per hour or day, until it counts no longer. */
export const quotaUses = sqliteTable(
  'quota_uses',
  {
    /** The name of the limit. */
    quota: text().notNull(),
    /** Whom it counts for, such as the ID of an account or an email address. */
    subject: text().notNull(),
    expiresAt: seconds().notNull(),
    amount: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.quota, t.subject, t.expiresAt] }),
    index('quota_uses_expiry').on(t.expiresAt),
  ],
)
