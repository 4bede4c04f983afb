import { asc, eq } from 'drizzle-orm'
import { prepared } from '#platform/store/prepared.ts'
import { playgrounds } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Playground = typeof playgrounds.$inferSelect

const all = prepared((db) => db.select().from(playgrounds).orderBy(asc(playgrounds.id)).prepare())

/** All playgrounds, oldest first. */
export function listPlaygrounds(read: Read): Playground[] {
  return all(read).all()
}

export function insertPlayground(tx: Tx, playground: Omit<Playground, 'id'>): Playground {
  return tx.db.insert(playgrounds).values(playground).returning().get()
}

/** Returns false if no playground has this id. */
export function deletePlayground(tx: Tx, id: number): boolean {
  return tx.db.delete(playgrounds).where(eq(playgrounds.id, id)).run().changes > 0
}
