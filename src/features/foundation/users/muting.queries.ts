import { and, asc, eq, sql } from 'drizzle-orm'
import { cached } from '#platform/store/cached.ts'
import { prepared } from '#platform/store/prepared.ts'
import { mutedUsers } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type MutedUser = typeof mutedUsers.$inferSelect

const mutedBy = prepared((db) =>
  db
    .select()
    .from(mutedUsers)
    .where(eq(mutedUsers.userId, sql.placeholder('userId')))
    .orderBy(asc(mutedUsers.mutedAt), asc(mutedUsers.mutedId))
    .prepare(),
)

/** The users whom a user muted, the earliest first. */
export function listMutedUsers(read: Read, userId: number): MutedUser[] {
  return mutedBy(read).all({ userId })
}

const muters = cached((read, mutedId: number): readonly number[] =>
  read.db
    .select({ userId: mutedUsers.userId })
    .from(mutedUsers)
    .where(eq(mutedUsers.mutedId, mutedId))
    .all()
    .map(({ userId }) => userId),
)

/** The users who muted a user. Cached because every send needs them. */
export function listMuters(read: Read, mutedId: number): readonly number[] {
  return muters.get(read, mutedId)
}

/** Returns false if the row exists already. */
export function insertMutedUser(tx: Tx, row: MutedUser): boolean {
  const { changes } = tx.db.insert(mutedUsers).values(row).onConflictDoNothing().run()
  muters.forget(tx, row.mutedId)
  return changes > 0
}

/** Returns false if there is no such row. */
export function deleteMutedUser(tx: Tx, userId: number, mutedId: number): boolean {
  const pair = and(eq(mutedUsers.userId, userId), eq(mutedUsers.mutedId, mutedId))
  const { changes } = tx.db.delete(mutedUsers).where(pair).run()
  muters.forget(tx, mutedId)
  return changes > 0
}
