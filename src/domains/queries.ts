import { asc } from 'drizzle-orm'
import { realmDomains } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type RealmDomain = typeof realmDomains.$inferSelect

/** Whose addresses may join where addresses are restricted, by name. */
export function listDomains(read: Read): RealmDomain[] {
  return read.db.select().from(realmDomains).orderBy(asc(realmDomains.domain)).all()
}

export function insertDomain(tx: Tx, domain: typeof realmDomains.$inferInsert): void {
  tx.db.insert(realmDomains).values(domain).run()
}
