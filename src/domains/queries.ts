import { asc, eq } from 'drizzle-orm'
import { prepared } from '#store/prepared.ts'
import { realmDomains } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type RealmDomain = typeof realmDomains.$inferSelect

const byName = prepared((db) =>
  db.select().from(realmDomains).orderBy(asc(realmDomains.domain)).prepare(),
)

/** Whose addresses may join where addresses are restricted, by name. */
export function listDomains(read: Read): RealmDomain[] {
  return byName(read).all()
}

export function insertDomain(tx: Tx, domain: typeof realmDomains.$inferInsert): RealmDomain {
  return tx.db.insert(realmDomains).values(domain).returning().get()
}

export function updateDomain(tx: Tx, { domain, allowSubdomains }: RealmDomain): void {
  tx.db.update(realmDomains).set({ allowSubdomains }).where(eq(realmDomains.domain, domain)).run()
}

export function deleteDomain(tx: Tx, domain: string): void {
  tx.db.delete(realmDomains).where(eq(realmDomains.domain, domain)).run()
}
