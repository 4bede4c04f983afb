import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag } from './columns.ts'

/** The API's values for the namespace of an emoji. @source Zulip API, "Add an emoji reaction" */
export const reactionTypes = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const

export const realmEmoji = sqliteTable(
  'realm_emoji',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    name: text().notNull(),
    authorId: integer(),
    /** The key in `emoji_pictures`. */
    fileName: text().notNull(),
    /** The still version of an animated emoji; null for others. */
    stillFileName: text(),
    deactivated: flag(),
  },
  (t) => [index('realm_emoji_name').on(t.name)],
)

/** The pictures of custom emoji, by the last part of their URL. */
export const emojiPictures = sqliteTable(
  'emoji_pictures',
  {
    fileName: text().primaryKey(),
    fileHash: text().notNull(),
    contentType: text().notNull(),
  },
  (t) => [index('emoji_pictures_file').on(t.fileHash)],
)
