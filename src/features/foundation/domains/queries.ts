import { asc, eq } from 'drizzle-orm'
import { prepared } from '#platform/store/prepared.ts'
import { realmDomains } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type RealmDomain = typeof realmDomains.$inferSelect

const byName = prepared((db) =>
  db.select().from(realmDomains).orderBy(asc(realmDomains.domain)).prepare(),
)

/** The domains that email addresses are restricted to if that setting is on, by name. */
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
