import { asc } from 'drizzle-orm'
import { cached } from '#store/cached.ts'
import { linkifiers } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type Linkifier = typeof linkifiers.$inferSelect

const all = 'all'
const inOrder = cached((read): readonly Linkifier[] =>
  read.db.select().from(linkifiers).orderBy(asc(linkifiers.position), asc(linkifiers.id)).all(),
)

/** All linkifiers in the order in which they apply. Rendering asks for them each time. */
export function listLinkifiers(read: Read): readonly Linkifier[] {
  return inOrder.get(read, all)
}

/** Adds one; `position` decides where it comes in the order. */
export function insertLinkifier(tx: Tx, linkifier: typeof linkifiers.$inferInsert): Linkifier {
  const added = tx.db.insert(linkifiers).values(linkifier).returning().get()
  inOrder.forget(tx, all)
  return added
}
