import { and, desc, eq, sql } from 'drizzle-orm'
import { prepared, preparedSql } from '#store/prepared.ts'
import { drafts } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type Draft = typeof drafts.$inferSelect
export type NewDraft = Omit<Draft, 'id'>

const ofUser = prepared((db) =>
  db
    .select()
    .from(drafts)
    .where(eq(drafts.userId, sql.placeholder('userId')))
    .orderBy(desc(drafts.editedAt), desc(drafts.id))
    .prepare(),
)

/** A user's drafts, the last edited first. */
export function listDrafts(read: Read, userId: number): Draft[] {
  return ofUser(read).all({ userId })
}

const counted = preparedSql<{ count: number }>(
  'SELECT count(*) AS count FROM drafts WHERE user_id = @userId',
)

export function countDrafts(read: Read, userId: number): number {
  return counted(read).get({ userId })?.count ?? 0
}

export function insertDraft(tx: Tx, draft: NewDraft): Draft {
  return tx.db.insert(drafts).values(draft).returning().get()
}

/** Replaces a draft of a user; undefined when the user has none with this id. */
export function updateDraft(tx: Tx, id: number, draft: NewDraft): Draft | undefined {
  const own = and(eq(drafts.id, id), eq(drafts.userId, draft.userId))
  return tx.db.update(drafts).set(draft).where(own).returning().get()
}

/** Returns false when the user has no draft with this id. */
export function deleteDraft(tx: Tx, userId: number, id: number): boolean {
  const own = and(eq(drafts.id, id), eq(drafts.userId, userId))
  return tx.db.delete(drafts).where(own).run().changes > 0
}

export function deleteDraftsOf(tx: Tx, userId: number): void {
  tx.db.delete(drafts).where(eq(drafts.userId, userId)).run()
}
