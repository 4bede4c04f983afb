import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Event queues that a clean shutdown stored for the next start. */
export const savedQueues = sqliteTable('saved_queues', {
  id: text().primaryKey(),
  userId: integer().notNull(),
  state: text({ mode: 'json' }).$type<unknown>().notNull(),
})
