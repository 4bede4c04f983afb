import { and, asc, eq, sql } from 'drizzle-orm'
import { prepared } from '#platform/store/prepared.ts'
import { savedSnippets } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type SavedSnippet = typeof savedSnippets.$inferSelect

/** The part of a snippet that its user writes. */
export type SnippetText = Pick<SavedSnippet, 'title' | 'content'>

const ofUser = prepared((db) =>
  db
    .select()
    .from(savedSnippets)
    .where(eq(savedSnippets.userId, sql.placeholder('userId')))
    .orderBy(asc(savedSnippets.id))
    .prepare(),
)

/** A user's saved snippets, the oldest first. */
export function listSavedSnippets(read: Read, userId: number): SavedSnippet[] {
  return ofUser(read).all({ userId })
}

export function insertSavedSnippet(tx: Tx, snippet: Omit<SavedSnippet, 'id'>): SavedSnippet {
  return tx.db.insert(savedSnippets).values(snippet).returning().get()
}

/** The user's own snippet of this id. */
export function findSavedSnippet(read: Read, userId: number, id: number): SavedSnippet | undefined {
  const own = and(eq(savedSnippets.id, id), eq(savedSnippets.userId, userId))
  return read.db.select().from(savedSnippets).where(own).get()
}

export function updateSavedSnippet(tx: Tx, { id, title, content }: SavedSnippet): void {
  tx.db.update(savedSnippets).set({ title, content }).where(eq(savedSnippets.id, id)).run()
}

/** Returns false when the user has no such snippet. */
export function deleteSavedSnippet(tx: Tx, userId: number, id: number): boolean {
  const own = and(eq(savedSnippets.id, id), eq(savedSnippets.userId, userId))
  return tx.db.delete(savedSnippets).where(own).run().changes > 0
}
