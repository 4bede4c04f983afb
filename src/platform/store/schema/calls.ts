import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The accounts that their users have connected with Zoom. */
export const zoomTokens = sqliteTable('zoom_tokens', {
  userId: integer().primaryKey(),
  /** The tokens, sealed with a key from the operator's settings, which is not in the database. */
  sealed: text().notNull(),
  /** The user ID at Zoom, known from the first meeting; null before. */
  zoomUserId: text(),
})
