import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag } from './columns.ts'

/** The event queues of clients, which survive the end of the process, even after a crash. */
export const eventQueues = sqliteTable('event_queues', {
  /** Its number in `queued_events`. */
  number: integer().primaryKey(),
  id: text().notNull(),
  /** A `QueueRequest` as JSON. */
  request: text().notNull(),
  /** The ID of its newest event, or of an older one unless `isExact`. */
  lastEventId: integer().notNull(),
  /** The newest event that the client is known to have. */
  acknowledgedId: integer().notNull(),
  /** Whether the server stopped cleanly, so that `lastEventId` is the newest. */
  isExact: flag(),
  /** `Stretch`es as JSON: the messages that it has not delivered as events. */
  stretches: text().notNull().default('[]'),
})

/** The events in event queues, each stored in the transaction that caused it. */
export const queuedEvents = sqliteTable('queued_events', {
  id: integer().primaryKey(),
  /** JSON without the opening brace and the event's ID, which differs between queues. */
  json: text().notNull(),
  /** Pairs of unsigned 32-bit numbers, little-endian: the number of a queue, the event's ID in it. */
  places: blob({ mode: 'buffer' }).notNull(),
  /** The ID of the newest message when it happened. */
  newestMessage: integer().notNull().default(0),
})
