import { and, asc, eq, sql } from 'drizzle-orm'
import { prepared } from '#store/prepared.ts'
import { profileValues } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

/** What a user filled in, by the custom profile field's id. */
export type ProfileData = Record<string, { value: string; rendered_value?: string }>

type ProfileValue = typeof profileValues.$inferSelect

const ofUser = prepared((db) =>
  db
    .select()
    .from(profileValues)
    .where(eq(profileValues.userId, sql.placeholder('userId')))
    .orderBy(asc(profileValues.fieldId))
    .prepare(),
)

export function profileData(read: Read, userId: number): ProfileData {
  return toProfileData(ofUser(read).all({ userId }))
}

/** The profiles of everybody who filled in anything. */
export function listProfileData(read: Read): Map<number, ProfileData> {
  const rows = read.db.select().from(profileValues).orderBy(asc(profileValues.fieldId)).all()
  const byUser = new Map<number, ProfileValue[]>()
  for (const row of rows) {
    const own = byUser.get(row.userId)
    if (own) own.push(row)
    else byUser.set(row.userId, [row])
  }
  return new Map([...byUser].map(([userId, values]) => [userId, toProfileData(values)]))
}

function toProfileData(values: readonly ProfileValue[]): ProfileData {
  return Object.fromEntries(
    values.map(({ fieldId, value, renderedValue }) => [
      fieldId,
      { value, ...(renderedValue !== null && { rendered_value: renderedValue }) },
    ]),
  )
}

export function insertProfileValue(tx: Tx, value: ProfileValue): void {
  tx.db.insert(profileValues).values(value).run()
}

/** Stores what a user filled in, in place of what they had there. */
export function upsertProfileValue(tx: Tx, row: ProfileValue): void {
  const { value, renderedValue } = row
  tx.db
    .insert(profileValues)
    .values(row)
    .onConflictDoUpdate({
      target: [profileValues.userId, profileValues.fieldId],
      set: { value, renderedValue },
    })
    .run()
}

export function deleteProfileValue(tx: Tx, userId: number, fieldId: number): void {
  const one = and(eq(profileValues.userId, userId), eq(profileValues.fieldId, fieldId))
  tx.db.delete(profileValues).where(one).run()
}
