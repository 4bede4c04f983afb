import { index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, seconds } from './columns.ts'

/** The organization: one row, id 1. */
export const realm = sqliteTable('realm', {
  id: integer().primaryKey(),
  uuid: text().notNull(),
  name: text().notNull(),
  description: text().notNull().default(''),
  dateCreated: seconds().notNull(),
  /** The key that signs short-lived links: 32 random bytes in hex. */
  secret: text().notNull(),
  /**
   * Tells these data from those of a backup of them: random, and another one in every copy. Null
   * for an organization from before there was one.
   */
  dataId: text(),
  /** Null while active. */
  deactivatedAt: seconds(),
  /** When to delete all data of a deactivated organization; null: never. */
  deletionAt: seconds(),
})

/** Organization settings that differ from the default; declared in features/foundation/realm/settings.ts. */
export const realmSettings = sqliteTable('realm_settings', {
  name: text().primaryKey(),
  value: text({ mode: 'json' }).$type<unknown>().notNull(),
})

/** The organization's defaults for user settings that differ from the built-in ones. */
export const realmUserDefaults = sqliteTable('realm_user_defaults', {
  name: text().primaryKey(),
  value: text({ mode: 'json' }).$type<unknown>().notNull(),
})

/** The icon and logos that the organization uploaded. */
export const realmPictures = sqliteTable(
  'realm_pictures',
  {
    kind: text({ enum: ['icon', 'logo', 'night_logo'] }).primaryKey(),
    /** Null if removed. */
    fileHash: text(),
    /** Increases with every change, so that clients fetch the picture again. */
    version: integer().notNull(),
  },
  (t) => [index('realm_pictures_file').on(t.fileHash)],
)

export const linkifiers = sqliteTable('linkifiers', {
  id: integer().primaryKey({ autoIncrement: true }),
  pattern: text().notNull(),
  urlTemplate: text().notNull(),
  exampleInput: text(),
  reverseTemplate: text(),
  alternativeUrlTemplates: text({ mode: 'json' }).$type<string[]>().notNull(),
  position: real().notNull(),
})

/** Code playgrounds: websites that run code of a language. */
export const playgrounds = sqliteTable('playgrounds', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  /** The Pygments name of the language, as in code blocks. */
  language: text().notNull(),
  urlTemplate: text().notNull(),
})

export const realmDomains = sqliteTable('realm_domains', {
  domain: text().primaryKey(),
  allowSubdomains: flag(),
})
