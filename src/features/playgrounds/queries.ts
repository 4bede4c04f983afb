import { asc, eq } from 'drizzle-orm'
import { playgrounds } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/write.ts'

export type Playground = typeof playgrounds.$inferSelect

/** All playgrounds, oldest first. */
export function listPlaygrounds(read: Read): Playground[] {
  return read.db.select().from(playgrounds).orderBy(asc(playgrounds.id)).all()
}

export function insertPlayground(tx: Tx, playground: Omit<Playground, 'id'>): Playground {
  return tx.db.insert(playgrounds).values(playground).returning().get()
}

/** Returns false if no playground has this id. */
export function deletePlayground(tx: Tx, id: number): boolean {
  return tx.db.delete(playgrounds).where(eq(playgrounds.id, id)).run().changes > 0
}
