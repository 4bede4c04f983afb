import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { seconds } from './columns.ts'

/** Mail to be sent. A row is deleted once the mail server accepts it, or after the last attempt. */
export const outgoingMail = sqliteTable(
  'outgoing_mail',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    address: text().notNull(),
    subject: text().notNull(),
    /** Plain text. */
    body: text().notNull(),
    /** Null: queued by a version without it. */
    html: text(),
    /** Further headers, by name. */
    headers: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>(),
    failures: integer().notNull().default(0),
    dueAt: seconds().notNull(),
  },
  (t) => [index('outgoing_mail_due').on(t.dueAt)],
)

/** The last time that digests were made, or the one now: one row. */
export const digestRuns = sqliteTable('digest_runs', {
  startedAt: seconds().primaryKey(),
  /** Everyone up to this user is done. */
  afterUserId: integer().notNull(),
  isDone: integer({ mode: 'boolean' }).notNull(),
})

/** Links in mail that verify an email address; only the SHA-256 of the secret part is stored. */
export const mailLinks = sqliteTable(
  'mail_links',
  {
    keyHash: text().primaryKey(),
    purpose: text({ enum: ['email_change', 'password_reset', 'registration'] }).notNull(),
    /** The account; null for a registration. */
    userId: integer(),
    /** The email address that the link was sent to. */
    email: text().notNull(),
    /** The invitation that a registration uses; null: none. */
    invitationId: integer(),
    expiresAt: seconds().notNull(),
  },
  (t) => [index('mail_links_user').on(t.userId), index('mail_links_expiry').on(t.expiresAt)],
)
