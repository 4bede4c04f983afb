import { asc, eq, sql } from 'drizzle-orm'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { userStatuses } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

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

const firstEnd = prepared((db) =>
  db
    .select({ userId: userStatuses.userId, endsAt: userStatuses.endsAt })
    .from(userStatuses)
    .where(sql`ends_at IS NOT NULL`)
    .orderBy(asc(userStatuses.endsAt))
    .limit(1)
    .prepare(),
)

/** The status that clears itself next, with the end in seconds since the epoch. */
export function findFirstEnd(read: Read): { userId: number; endsAt: number } | undefined {
  const { userId, endsAt } = firstEnd(read).get() ?? {}
  return userId === undefined || !endsAt ? undefined : { userId, endsAt }
}

/** Users who hide their presence, which old clients call `away`. */
export function listAway(read: Read): number[] {
  return hiding(read)
    .all({})
    .map(({ userId }) => userId)
}
