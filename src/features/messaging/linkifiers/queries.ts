import { asc, eq, sql } from 'drizzle-orm'
import { cached } from '#platform/store/cached.ts'
import { linkifiers } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Linkifier = typeof linkifiers.$inferSelect
export type NewLinkifier = Omit<typeof linkifiers.$inferInsert, 'position'>

const all = 'all'
const inOrder = cached((read): readonly Linkifier[] =>
  read.db.select().from(linkifiers).orderBy(asc(linkifiers.position), asc(linkifiers.id)).all(),
)

/** All linkifiers in the order in which they apply. Cached, because each rendering reads them. */
export function listLinkifiers(read: Read): readonly Linkifier[] {
  return inOrder.get(read, all)
}

/** Adds a linkifier after all others. */
export function insertLinkifier(tx: Tx, linkifier: NewLinkifier): Linkifier {
  const position = sql<number>`(SELECT coalesce(max(position), -1) + 1 FROM linkifiers)`
  const added = tx.db
    .insert(linkifiers)
    .values({ ...linkifier, position })
    .returning()
    .get()
  inOrder.forget(tx, all)
  return added
}

export function updateLinkifier(tx: Tx, id: number, changes: Partial<Omit<Linkifier, 'id'>>): void {
  tx.db.update(linkifiers).set(changes).where(eq(linkifiers.id, id)).run()
  inOrder.forget(tx, all)
}

/** Returns false if no linkifier has this id. */
export function deleteLinkifier(tx: Tx, id: number): boolean {
  const { changes } = tx.db.delete(linkifiers).where(eq(linkifiers.id, id)).run()
  inOrder.forget(tx, all)
  return changes > 0
}
