import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, seconds } from './columns.ts'

/** The services that outgoing webhook bots post to. */
export const botServices = sqliteTable('bot_services', {
  userId: integer().primaryKey(),
  baseUrl: text().notNull(),
  /** 1: Zulip's format; 2: Slack-compatible. */
  interface: integer().$type<1 | 2>().notNull(),
  token: text().notNull(),
})

/** The configuration of bots that have any. */
export const botOptions = sqliteTable('bot_options', {
  userId: integer().primaryKey(),
  /** The default channel for messages that name none; null: none. */
  sendingChannelId: integer(),
  /** The default channel that its event queues are narrowed to; null: all. */
  eventsChannelId: integer(),
  /** Whether its event queues get the messages of all public channels by default. */
  allPublicChannels: flag(),
  /** The integration that an incoming webhook bot is for; null: any. */
  integration: text(),
  /**
   * Whether its owner changed and the new owner has not generated a new API key yet: until then it
   * does not have the owner's permissions.
   */
  awaitsOwner: flag(),
  /** The options of that integration, such as a secret. */
  config: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
})

/** The key-value storage of bots. */
export const botStorage = sqliteTable(
  'bot_storage',
  {
    userId: integer().notNull(),
    key: text().notNull(),
    value: text().notNull(),
    /** The length of key and value together, in characters. */
    size: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] })],
)

/** Messages still to be posted to the services of outgoing webhook bots. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    botId: integer().notNull(),
    messageId: integer().notNull(),
    trigger: text({ enum: ['direct_message', 'mention'] }).notNull(),
    /** The number of failed attempts. */
    failures: integer().notNull().default(0),
    dueAt: seconds().notNull(),
  },
  (t) => [index('webhook_deliveries_due').on(t.dueAt), index('webhook_deliveries_bot').on(t.botId)],
)

/** The last attempts to deliver messages to the services of bots, with what was answered. */
export const webhookAttempts = sqliteTable(
  'webhook_attempts',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    botId: integer().notNull(),
    at: seconds().notNull(),
    messageId: integer(),
    /** What triggered the delivery. */
    what: text().notNull(),
    /** The status of the answer; null if there was none. */
    status: integer(),
    /** The beginning of the answer, or why there was none. */
    answer: text().notNull(),
  },
  (t) => [index('webhook_attempts_bot').on(t.botId, t.id)],
)
