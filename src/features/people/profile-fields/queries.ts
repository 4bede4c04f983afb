import { asc, eq, sql } from 'drizzle-orm'
import { prepared } from '#platform/store/prepared.ts'
import { profileFields, profileValues } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type ProfileField = typeof profileFields.$inferSelect

const inOrder = prepared((db) =>
  db
    .select()
    .from(profileFields)
    .orderBy(asc(profileFields.position), asc(profileFields.id))
    .prepare(),
)

/** The custom profile fields, in display order. */
export function listProfileFields(read: Read): ProfileField[] {
  return inOrder(read).all()
}

const byId = prepared((db) =>
  db
    .select()
    .from(profileFields)
    .where(eq(profileFields.id, sql.placeholder('id')))
    .prepare(),
)

/** Finds a custom profile field by its ID. */
export function findProfileField(read: Read, id: number): ProfileField | undefined {
  return byId(read).get({ id })
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

/** Deletes a field with all of its values. */
export function deleteProfileField(tx: Tx, id: number): void {
  tx.db.delete(profileValues).where(eq(profileValues.fieldId, id)).run()
  tx.db.delete(profileFields).where(eq(profileFields.id, id)).run()
}

/** All values of a field, by user ID. */
export function listValuesOf(read: Read, fieldId: number): { userId: number; value: string }[] {
  return read.db
    .select({ userId: profileValues.userId, value: profileValues.value })
    .from(profileValues)
    .where(eq(profileValues.fieldId, fieldId))
    .orderBy(asc(profileValues.userId))
    .all()
}
