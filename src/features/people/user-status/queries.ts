import { eq, sql } from 'drizzle-orm'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { userStatuses } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/write.ts'

export type UserStatus = typeof userStatuses.$inferSelect

const ofUser = prepared((db) =>
  db
    .select()
    .from(userStatuses)
    .where(eq(userStatuses.userId, sql.placeholder('userId')))
    .prepare(),
)

export function findStatus(read: Read, userId: number): UserStatus | undefined {
  return ofUser(read).get({ userId })
}

const all = prepared((db) => db.select().from(userStatuses).prepare())

export function listStatuses(read: Read): UserStatus[] {
  return all(read).all()
}

export function upsertStatus(tx: Tx, status: UserStatus): void {
  tx.db
    .insert(userStatuses)
    .values(status)
    .onConflictDoUpdate({ target: userStatuses.userId, set: status })
    .run()
}

export function deleteStatus(tx: Tx, userId: number): void {
  tx.db.delete(userStatuses).where(eq(userStatuses.userId, userId)).run()
}

const hiding = preparedSql<{ userId: number }>(`
  SELECT user_id AS userId FROM user_settings
  WHERE name = 'presence_enabled' AND value = 'false'`)

/** Users who hide their presence, which old clients call `away`. */
export function listAway(read: Read): number[] {
  return hiding(read)
    .all({})
    .map(({ userId }) => userId)
}
