import { asc } from 'drizzle-orm'
import { profileFields } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type ProfileField = typeof profileFields.$inferSelect

/** The custom profile fields in the order in which they are shown. */
export function listProfileFields(read: Read): ProfileField[] {
  return read.db
    .select()
    .from(profileFields)
    .orderBy(asc(profileFields.position), asc(profileFields.id))
    .all()
}

export function insertProfileField(tx: Tx, field: typeof profileFields.$inferInsert): ProfileField {
  return tx.db.insert(profileFields).values(field).returning().get()
}
