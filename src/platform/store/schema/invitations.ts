import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, seconds } from './columns.ts'
import type { Role } from './users.ts'

/** Invitations: reusable links, and invitations sent to one email address. */
export const invitations = sqliteTable(
  'invitations',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** The secret part of the link. */
    key: text().notNull(),
    /** The invited email address; null for a reusable link. */
    email: text(),
    inviterId: integer().notNull(),
    /** The role of the new account. */
    role: integer().$type<Role>().notNull(),
    channelIds: text({ mode: 'json' }).$type<number[]>().notNull(),
    groupIds: text({ mode: 'json' }).$type<number[]>().notNull(),
    joinDefaultChannels: flag(),
    /** Markdown to append to the welcome message; null: the organization's default. */
    welcomeText: text(),
    /** Whether to notify the inviter when someone joins. */
    tellInviter: flag(),
    /** How often the mail was sent again. */
    reminders: integer().notNull().default(0),
    createdAt: seconds().notNull(),
    /** Null: never. */
    expiresAt: seconds(),
    /** When it was used or revoked; null while valid. */
    endedAt: seconds(),
  },
  (t) => [
    uniqueIndex('invitations_key').on(t.key),
    index('invitations_open').on(t.id).where(sql`ended_at IS NULL`),
    index('invitations_inviter').on(t.inviterId),
  ],
)
