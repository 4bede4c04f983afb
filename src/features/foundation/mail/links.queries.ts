import { randomBytes } from 'node:crypto'
import { and, asc, eq, gt, isNull, min, sql } from 'drizzle-orm'
import { seconds } from '#platform/clock.ts'
import { secretHash } from '#platform/secret-hash.ts'
import { deleteUntil } from '#platform/store/expiry.ts'
import { prepared } from '#platform/store/prepared.ts'
import { mailLinks } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type MailLink = typeof mailLinks.$inferSelect
type Purpose = MailLink['purpose']

/** The lifetime of a link in a mail, in seconds. */
const linkSeconds = 24 * 3600

/**
 * Stores the purpose of a new link in a mail.
 *
 * @param lifetime in seconds; default: the usual one
 * @returns the secret part of the link; only its hash is stored
 */
export function insertMailLink(
  tx: Tx,
  link: Omit<typeof mailLinks.$inferInsert, 'keyHash' | 'expiresAt'>,
  lifetime = linkSeconds,
): string {
  const now = seconds(tx.clock)
  deleteUntil(tx, mailLinks.expiresAt, now)
  const key = randomBytes(32).toString('hex')
  tx.db
    .insert(mailLinks)
    .values({ ...link, keyHash: secretHash(key), expiresAt: now + lifetime })
    .run()
  return key
}

/**
 * Stores a request for a mail with a link, before it is known whether the address has an account.
 * The row is a link with a secret that is never sent, and without an account.
 */
export function insertMailRequest(tx: Tx, purpose: 'password_reset', email: string): void {
  insertMailLink(tx, { purpose, userId: null, email })
}

const requestsFor = (purpose: Purpose) =>
  and(isNull(mailLinks.userId), eq(mailLinks.purpose, purpose))

const firstRequest = prepared((db) =>
  db
    .select({ at: min(mailLinks.expiresAt) })
    .from(mailLinks)
    .where(and(isNull(mailLinks.userId), eq(mailLinks.purpose, sql.placeholder('purpose'))))
    .prepare(),
)

/** When the oldest request was made, in seconds since the epoch; undefined: there is none. */
export function mailRequestDue(read: Read, purpose: 'password_reset'): number | undefined {
  const oldest = firstRequest(read).get({ purpose })
  return oldest?.at ? oldest.at - linkSeconds : undefined
}

/** Removes the oldest request. @returns its address; undefined: there is none */
export function takeMailRequest({ db }: Tx, purpose: 'password_reset'): string | undefined {
  const request = db
    .select()
    .from(mailLinks)
    .where(requestsFor(purpose))
    .orderBy(asc(mailLinks.expiresAt))
    .limit(1)
    .get()
  if (!request) return undefined
  db.delete(mailLinks).where(eq(mailLinks.keyHash, request.keyHash)).run()
  return request.email
}

/** Finds a valid link. */
export function findMailLink(read: Read, purpose: Purpose, key: string): MailLink | undefined {
  const wanted = and(
    eq(mailLinks.keyHash, secretHash(key)),
    eq(mailLinks.purpose, purpose),
    gt(mailLinks.expiresAt, seconds(read.clock)),
  )
  return read.db.select().from(mailLinks).where(wanted).get()
}

/** Invalidates an account's links of one purpose. */
export function deleteMailLinksAbout(tx: Tx, purpose: Purpose, userId: number): void {
  const wanted = and(eq(mailLinks.userId, userId), eq(mailLinks.purpose, purpose))
  tx.db.delete(mailLinks).where(wanted).run()
}

/** Invalidates all links of an account. */
export function deleteAllMailLinksAbout(tx: Tx, userId: number): void {
  tx.db.delete(mailLinks).where(eq(mailLinks.userId, userId)).run()
}

/** Invalidates the links of one purpose that were sent to an address. */
export function deleteMailLinksTo(tx: Tx, purpose: Purpose, email: string): void {
  const wanted = and(eq(mailLinks.email, email), eq(mailLinks.purpose, purpose))
  tx.db.delete(mailLinks).where(wanted).run()
}
