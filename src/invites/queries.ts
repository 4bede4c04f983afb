import { and, asc, count, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { seconds } from '#clock.ts'
import { invitations } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type Invitation = typeof invitations.$inferSelect

/** Neither revoked nor used up nor expired. */
function isOpen(read: Read) {
  return and(
    isNull(invitations.endedAt),
    or(isNull(invitations.expiresAt), gt(invitations.expiresAt, seconds(read.clock))),
  )
}

/** All that work, by id. */
export function listInvitations(read: Read): Invitation[] {
  return read.db.select().from(invitations).where(isOpen(read)).orderBy(asc(invitations.id)).all()
}

/** One that works, by its id. */
export function findInvitation(read: Read, id: number): Invitation | undefined {
  const wanted = and(eq(invitations.id, id), isOpen(read))
  return read.db.select().from(invitations).where(wanted).get()
}

/** One that works, by the secret part of its link. */
export function findInvitationByKey(read: Read, key: string): Invitation | undefined {
  const wanted = and(eq(invitations.key, key), isOpen(read))
  return read.db.select().from(invitations).where(wanted).get()
}

export function insertInvitation(tx: Tx, row: typeof invitations.$inferInsert): Invitation {
  return tx.db.insert(invitations).values(row).returning().get()
}

/** Counts that the mail of an invitation goes out once more. */
export function countReminder(tx: Tx, { id, reminders }: Invitation): void {
  tx.db
    .update(invitations)
    .set({ reminders: reminders + 1 })
    .where(eq(invitations.id, id))
    .run()
}

/** Ends one invitation. */
export function endInvitation(tx: Tx, id: number): void {
  tx.db
    .update(invitations)
    .set({ endedAt: seconds(tx.clock) })
    .where(eq(invitations.id, id))
    .run()
}

/** Ends every invitation that somebody made. @returns how many worked until now */
export function endInvitationsBy(tx: Tx, inviterId: number): number {
  const open = and(eq(invitations.inviterId, inviterId), isOpen(tx))
  return tx.db
    .update(invitations)
    .set({ endedAt: seconds(tx.clock) })
    .where(open)
    .run().changes
}

/** All that work and were sent to an address. */
export function listInvitationsTo(read: Read, email: string): Invitation[] {
  const wanted = and(sql`lower(${invitations.email}) = ${email.toLowerCase()}`, isOpen(read))
  return read.db.select().from(invitations).where(wanted).all()
}

/** How many invitations were sent by mail since then. @param since seconds since the epoch */
export function countSentSince(read: Read, since: number): number {
  const sent = and(gt(invitations.createdAt, since), sql`${invitations.email} IS NOT NULL`)
  return read.db.select({ n: count() }).from(invitations).where(sent).get()?.n ?? 0
}
