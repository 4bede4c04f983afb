import { and, eq, sql } from 'drizzle-orm'
import type { IdentityProvider } from '#platform/config.ts'
import { prepared } from '#platform/store/prepared.ts'
import { identities, identityProviders } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

const stored = prepared((db) =>
  db.select().from(identityProviders).orderBy(identityProviders.id).prepare(),
)

/** The providers that `parley sso add` stored, by their ids. */
function listStoredProviders(read: Read): IdentityProvider[] {
  return stored(read)
    .all()
    .map(({ settings }) => settings)
}

/** All providers in the order of their buttons: those of the configuration first. */
export function listProviders(read: Read): readonly IdentityProvider[] {
  const { identityProviders: configured } = read.config
  const known = new Set(configured.map(({ id }) => id))
  return [...configured, ...listStoredProviders(read).filter(({ id }) => !known.has(id))]
}

export function findProvider(read: Read, id: string): IdentityProvider | undefined {
  return listProviders(read).find((provider) => provider.id === id)
}

/** Stores a provider, in place of one with the same id. */
export function saveProvider(tx: Tx, settings: IdentityProvider): void {
  const row = { id: settings.id, settings }
  tx.db
    .insert(identityProviders)
    .values(row)
    .onConflictDoUpdate({ target: identityProviders.id, set: row })
    .run()
}

/** Returns whether there was one. */
export function deleteProvider(tx: Tx, id: string): boolean {
  return tx.db.delete(identityProviders).where(eq(identityProviders.id, id)).run().changes > 0
}

const bySubject = prepared((db) =>
  db
    .select()
    .from(identities)
    .where(
      and(
        eq(identities.issuer, sql.placeholder('issuer')),
        eq(identities.subject, sql.placeholder('subject')),
      ),
    )
    .prepare(),
)

/** The ID of the account that is linked to someone at a provider. */
export function findUserIdOf(read: Read, issuer: string, subject: string): number | undefined {
  return bySubject(read).get({ issuer, subject })?.userId
}

/** Whether an account is linked to someone at this provider. */
export function isLinkedTo(read: Read, userId: number, issuer: string): boolean {
  const wanted = and(eq(identities.userId, userId), eq(identities.issuer, issuer))
  return (
    read.db.select({ at: identities.linkedAt }).from(identities).where(wanted).get() !== undefined
  )
}

export function insertIdentity(tx: Tx, row: typeof identities.$inferInsert): void {
  tx.db.insert(identities).values(row).run()
}

/** Unlinks an account from all providers. Returns from how many. */
export function deleteIdentitiesOf(tx: Tx, userId: number): number {
  return tx.db.delete(identities).where(eq(identities.userId, userId)).run().changes
}
