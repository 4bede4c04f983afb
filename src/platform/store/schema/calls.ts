import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The accounts that their users have connected with Zoom. */
export const zoomTokens = sqliteTable('zoom_tokens', {
  userId: integer().primaryKey(),
  /** The tokens, sealed with a key that the operator's settings hold, and the database does not. */
  sealed: text().notNull(),
  /** Whose account it is at Zoom, which the first meeting there tells; null before. */
  zoomUserId: text(),
})
