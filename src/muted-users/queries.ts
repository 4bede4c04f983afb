import { and, asc, eq, sql } from 'drizzle-orm'
import { prepared } from '#store/prepared.ts'
import { mutedUsers } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type MutedUser = typeof mutedUsers.$inferSelect

/** Whom a user muted, the earliest first. */
export function listMutedUsers(read: Read, userId: number): MutedUser[] {
  return read.db
    .select()
    .from(mutedUsers)
    .where(eq(mutedUsers.userId, userId))
    .orderBy(asc(mutedUsers.mutedAt), asc(mutedUsers.mutedId))
    .all()
}

const mutersOf = prepared((db) =>
  db
    .select({ userId: mutedUsers.userId })
    .from(mutedUsers)
    .where(eq(mutedUsers.mutedId, sql.placeholder('mutedId')))
    .prepare(),
)

/** Who muted a user. Sending asks for each message. */
export function listMuters(read: Read, mutedId: number): number[] {
  return mutersOf(read)
    .all({ mutedId })
    .map(({ userId }) => userId)
}

/** Returns false when it was there already. */
export function insertMutedUser(tx: Tx, row: MutedUser): boolean {
  return tx.db.insert(mutedUsers).values(row).onConflictDoNothing().run().changes > 0
}

/** Returns false when it was not there. */
export function deleteMutedUser(tx: Tx, userId: number, mutedId: number): boolean {
  const pair = and(eq(mutedUsers.userId, userId), eq(mutedUsers.mutedId, mutedId))
  return tx.db.delete(mutedUsers).where(pair).run().changes > 0
}
