import { and, asc, eq, sql } from 'drizzle-orm'
import { derived } from '#platform/store/derived.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { profileValues } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** A user's profile values, by the custom profile field's ID. */
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

const oneOf = preparedSql<{ value: string }>(
  'SELECT value FROM profile_values WHERE user_id = @userId AND field_id = @fieldId',
)

/** A user's value for a custom profile field, as stored. */
export function findProfileValue(read: Read, userId: number, fieldId: number): string | undefined {
  return oneOf(read).get({ userId, fieldId })?.value
}

export function profileData(read: Read, userId: number): ProfileData {
  return toProfileData(ofUser(read).all({ userId }))
}

const ofAll = prepared((db) =>
  db.select().from(profileValues).orderBy(asc(profileValues.fieldId)).prepare(),
)

/** The profiles of all users with at least one value, by user ID: the same until one changes. */
export function listProfileData(read: Read): ReadonlyMap<number, ProfileData> {
  return allProfiles(read, 'all')
}

const allProfiles = derived(
  [profileValues],
  (read, _key: 'all') => {
    const byUser = new Map<number, ProfileValue[]>()
    for (const row of ofAll(read).all()) {
      const own = byUser.get(row.userId)
      if (own) own.push(row)
      else byUser.set(row.userId, [row])
    }
    return new Map([...byUser].map(([userId, values]) => [userId, toProfileData(values)]))
  },
  1,
)

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

/** Stores a user's value for a field; replaces an earlier value. */
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
