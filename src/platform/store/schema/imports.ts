import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag } from './columns.ts'

/** The imports that made this organization: one row, or none. */
export const imports = sqliteTable('imports', {
  id: integer().primaryKey(),
  /** The name of the source, such as `slack`. */
  source: text().notNull(),
  importedAt: integer().notNull(),
  /** Whether messages have kept their IDs, so that old links name them. */
  keepsIds: flag(),
})

/** Old addresses of imported messages: what follows the host, or the end of that. */
export const oldLinks = sqliteTable('old_links', {
  link: text().primaryKey(),
  /** The ID of a message that may have been deleted since. */
  messageId: integer().notNull(),
})
