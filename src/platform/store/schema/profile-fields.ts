import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag } from './columns.ts'

/** Custom profile fields. `fieldType` is 1 to 8: Zulip API, "Create a custom profile field". */
export const profileFields = sqliteTable('profile_fields', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  hint: text().notNull().default(''),
  fieldType: integer().notNull(),
  fieldData: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  position: integer().notNull(),
  displayInProfileSummary: flag(),
  required: flag(),
  editableByUser: integer({ mode: 'boolean' }).notNull().default(true),
  useForUserMatching: flag(),
})

export const profileValues = sqliteTable(
  'profile_values',
  {
    userId: integer().notNull(),
    fieldId: integer().notNull(),
    value: text().notNull(),
    /** HTML, for the types that support Markdown (1 and 2). */
    renderedValue: text(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.fieldId] }),
    index('profile_values_field').on(t.fieldId),
  ],
)
