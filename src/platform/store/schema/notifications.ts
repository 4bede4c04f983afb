import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { seconds } from './columns.ts'

/**
 * Why someone is notified about a message. The first one that applies counts.
 *
 * @source Zulip API, "Mobile notifications"
 */
export const notificationTriggers = [
  'direct_message',
  'mentioned',
  'topic_wildcard_mentioned_in_followed_topic',
  'stream_wildcard_mentioned_in_followed_topic',
  'topic_wildcard_mentioned',
  'stream_wildcard_mentioned',
  'followed_topic',
  'stream',
] as const

/**
 * Users who may have to be notified about a message, for large audiences, which are decided later.
 * Each row is a part of the audience. A job works through the parts, and deletes each in the same
 * write.
 */
export const notificationParts = sqliteTable('notification_parts', {
  id: integer().primaryKey({ autoIncrement: true }),
  messageId: integer().notNull(),
  /** Whether an edit of the message is the reason. */
  isEdit: integer({ mode: 'boolean' }).notNull(),
  userIds: text({ mode: 'json' }).$type<readonly number[]>().notNull(),
  createdAt: seconds().notNull(),
})

/**
 * Users who were away when a message came, and are notified by email or push. A row stays after the
 * mail until a job deletes it, so that nobody is notified twice.
 */
export const notifications = sqliteTable(
  'notifications',
  {
    userId: integer().notNull(),
    messageId: integer().notNull(),
    pushTrigger: text({ enum: notificationTriggers }),
    emailTrigger: text({ enum: notificationTriggers }),
    /** The mentioned group that the user is in; null unless only a group was mentioned. */
    groupId: integer(),
    createdAt: seconds().notNull(),
    /** When to send the mail about it; null: no mail is to be sent. */
    emailDueAt: seconds(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.messageId] }),
    index('notifications_due').on(t.emailDueAt).where(sql`email_due_at IS NOT NULL`),
    index('notifications_pending').on(t.userId).where(sql`email_due_at IS NOT NULL`),
    index('notifications_created').on(t.createdAt),
  ],
)
