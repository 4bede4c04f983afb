import { and, asc, eq, sql } from 'drizzle-orm'
import { prepared, preparedSql } from '#store/prepared.ts'
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

const sentBy = preparedSql<{ id: number; recipientId: number }>(`
  SELECT id, recipient_id AS recipientId FROM messages
  WHERE id IN (SELECT value FROM json_each(@ids)) AND sender_id = @senderId
`)

/** Those of some messages that one user sent. */
export function listSentBy(
  read: Read,
  senderId: number,
  ids: readonly number[],
): { id: number; recipientId: number }[] {
  return sentBy(read).all({ senderId, ids: JSON.stringify(ids) })
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
