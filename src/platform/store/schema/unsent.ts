import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, seconds } from './columns.ts'

export const drafts = sqliteTable(
  'drafts',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer().notNull(),
    type: text({ enum: ['', 'stream', 'private'] }).notNull(),
    to: text({ mode: 'json' }).$type<number[]>().notNull(),
    topic: text().notNull(),
    content: text().notNull(),
    editedAt: seconds().notNull(),
  },
  (t) => [index('drafts_user').on(t.userId)],
)

/** The newest scheduled messages of each user that were sent, until the user deletes them. */
export const sentScheduledMessages = sqliteTable(
  'sent_scheduled_messages',
  {
    id: integer().primaryKey(),
    senderId: integer().notNull(),
  },
  (t) => [index('sent_scheduled_messages_sender').on(t.senderId, t.id)],
)

/** Messages to be sent later. */
export const scheduledMessages = sqliteTable(
  'scheduled_messages',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    senderId: integer().notNull(),
    /** Null for a direct message. */
    channelId: integer(),
    /** The recipients of a direct message as the sender listed them; empty for a channel. */
    to: text({ mode: 'json' }).$type<number[]>().notNull(),
    topic: text().notNull(),
    content: text().notNull(),
    renderedContent: text().notNull(),
    deliverAt: integer().notNull(),
    readBySender: integer({ mode: 'boolean' }).notNull(),
    /** The name of the client that scheduled it. */
    client: text().notNull(),
    /** Sending failed; the message stays until its sender edits or deletes it. */
    failed: flag(),
  },
  (t) => [
    index('scheduled_messages_sender').on(t.senderId, t.deliverAt),
    index('scheduled_messages_due').on(t.deliverAt).where(sql`NOT failed`),
  ],
)

/** Reminders about messages. */
export const reminders = sqliteTable(
  'reminders',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer().notNull(),
    messageId: integer().notNull(),
    /** The user's note; empty: none. */
    note: text().notNull(),
    content: text().notNull(),
    renderedContent: text().notNull(),
    deliverAt: integer().notNull(),
  },
  (t) => [
    index('reminders_user').on(t.userId, t.deliverAt),
    index('reminders_due').on(t.deliverAt),
    index('reminders_message').on(t.messageId),
  ],
)

/** Texts that a user saved to reuse. */
export const savedSnippets = sqliteTable(
  'saved_snippets',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: integer().notNull(),
    title: text().notNull(),
    content: text().notNull(),
    dateCreated: seconds().notNull(),
  },
  (t) => [index('saved_snippets_user').on(t.userId)],
)
