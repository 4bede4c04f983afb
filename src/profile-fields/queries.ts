import { asc, eq } from 'drizzle-orm'
import { prepared } from '#store/prepared.ts'
import { profileFields, profileValues } from '#store/schema.ts'
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

export function updateProfileField(
  tx: Tx,
  id: number,
  changes: Partial<Omit<ProfileField, 'id' | 'fieldType'>>,
): void {
  if (Object.keys(changes).length === 0) return
  tx.db.update(profileFields).set(changes).where(eq(profileFields.id, id)).run()
}

/** Deletes a field with all that people filled in there. */
export function deleteProfileField(tx: Tx, id: number): void {
  tx.db.delete(profileValues).where(eq(profileValues.fieldId, id)).run()
  tx.db.delete(profileFields).where(eq(profileFields.id, id)).run()
}

/** Who filled in a field, and what, by user. */
export function listValuesOf(read: Read, fieldId: number): { userId: number; value: string }[] {
  return read.db
    .select({ userId: profileValues.userId, value: profileValues.value })
    .from(profileValues)
    .where(eq(profileValues.fieldId, fieldId))
    .orderBy(asc(profileValues.userId))
    .all()
}
