import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, lte } from 'drizzle-orm'
import { seconds } from '#clock.ts'
import { mailLinks } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type MailLink = typeof mailLinks.$inferSelect
type Purpose = MailLink['purpose']

/** How long a link in a mail works, in seconds. */
const linkSeconds = 24 * 3600

/**
 * Keeps what a link in a mail is for.
 *
 * @returns the secret part of the link, known to whoever reads the mail alone
 */
export function insertMailLink(
  tx: Tx,
  link: Omit<typeof mailLinks.$inferInsert, 'keyHash' | 'expiresAt'>,
): string {
  const now = seconds(tx.clock)
  tx.db.delete(mailLinks).where(lte(mailLinks.expiresAt, now)).run()
  const key = randomBytes(32).toString('hex')
  tx.db
    .insert(mailLinks)
    .values({ ...link, keyHash: hash(key), expiresAt: now + linkSeconds })
    .run()
  return key
}

/** What a link is for, while it works. */
export function findMailLink(read: Read, purpose: Purpose, key: string): MailLink | undefined {
  const wanted = and(
    eq(mailLinks.keyHash, hash(key)),
    eq(mailLinks.purpose, purpose),
    gt(mailLinks.expiresAt, seconds(read.clock)),
  )
  return read.db.select().from(mailLinks).where(wanted).get()
}

/** Ends the links of one purpose that were sent about an account. */
export function deleteMailLinksAbout(tx: Tx, purpose: Purpose, userId: number): void {
  const wanted = and(eq(mailLinks.userId, userId), eq(mailLinks.purpose, purpose))
  tx.db.delete(mailLinks).where(wanted).run()
}

/** Ends all links that were sent about an account. */
export function deleteAllMailLinksAbout(tx: Tx, userId: number): void {
  tx.db.delete(mailLinks).where(eq(mailLinks.userId, userId)).run()
}

/** Ends the links of one purpose that were sent to an address. */
export function deleteMailLinksTo(tx: Tx, purpose: Purpose, email: string): void {
  const wanted = and(eq(mailLinks.email, email), eq(mailLinks.purpose, purpose))
  tx.db.delete(mailLinks).where(wanted).run()
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
