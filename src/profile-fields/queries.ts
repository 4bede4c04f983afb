import { asc } from 'drizzle-orm'
import { prepared } from '#store/prepared.ts'
import { profileFields } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type ProfileField = typeof profileFields.$inferSelect

const inOrder = prepared((db) =>
  db
    .select()
    .from(profileFields)
    .orderBy(asc(profileFields.position), asc(profileFields.id))
    .prepare(),
)

/** The custom profile fields in the order in which they are shown. */
export function listProfileFields(read: Read): ProfileField[] {
  return inOrder(read).all()
}

/** A custom profile field by its id. */
export function findProfileField(read: Read, id: number): ProfileField | undefined {
  return listProfileFields(read).find((field) => field.id === id)
}

export function insertProfileField(tx: Tx, field: typeof profileFields.$inferInsert): ProfileField {
  return tx.db.insert(profileFields).values(field).returning().get()
}
