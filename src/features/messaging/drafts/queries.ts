import { and, desc, eq, sql } from 'drizzle-orm'
import { preparedInsert } from '#platform/store/insert.ts'
import { prepared } from '#platform/store/prepared.ts'
import { drafts } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

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

/** A user's drafts, the most recently edited first. */
export function listDrafts(read: Read, userId: number): Draft[] {
  return ofUser(read).all({ userId })
}

const insertOne = preparedInsert(drafts)

export function insertDraft(tx: Tx, draft: NewDraft): Draft {
  return insertOne(tx, draft)
}

/** Replaces a user's draft and returns it; undefined when the user has none with this id. */
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
