import { and, asc, count, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { seconds } from '#platform/clock.ts'
import { preparedInsert } from '#platform/store/insert.ts'
import { invitations } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Invitation = typeof invitations.$inferSelect

/** Not revoked, used or expired. */
function isOpen(read: Read) {
  return and(
    isNull(invitations.endedAt),
    or(isNull(invitations.expiresAt), gt(invitations.expiresAt, seconds(read.clock))),
  )
}

/** All open invitations, by ID. */
export function listInvitations(read: Read): Invitation[] {
  return read.db.select().from(invitations).where(isOpen(read)).orderBy(asc(invitations.id)).all()
}

/** Finds an open invitation by its ID. */
export function findInvitation(read: Read, id: number): Invitation | undefined {
  const wanted = and(eq(invitations.id, id), isOpen(read))
  return read.db.select().from(invitations).where(wanted).get()
}

/** Finds an open invitation by the secret part of its link. */
export function findInvitationByKey(read: Read, key: string): Invitation | undefined {
  const wanted = and(eq(invitations.key, key), isOpen(read))
  return read.db.select().from(invitations).where(wanted).get()
}

/** Returns the stored row. */
export const insertInvitation = preparedInsert(invitations)

/** Counts one more reminder. */
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

/**
 * Ends all open invitations by a user.
 *
 * @returns the number of invitations ended
 */
export function endInvitationsBy(tx: Tx, inviterId: number): number {
  const open = and(eq(invitations.inviterId, inviterId), isOpen(tx))
  return tx.db
    .update(invitations)
    .set({ endedAt: seconds(tx.clock) })
    .where(open)
    .run().changes
}

/** All open invitations sent to an address. */
export function listInvitationsTo(read: Read, email: string): Invitation[] {
  const wanted = and(sql`lower(${invitations.email}) = ${email.toLowerCase()}`, isOpen(read))
  return read.db.select().from(invitations).where(wanted).all()
}

/** The number of open invitations by a user, links and mails. */
export function countOpenInvitationsBy(read: Read, inviterId: number): number {
  const open = and(eq(invitations.inviterId, inviterId), isOpen(read))
  return read.db.select({ n: count() }).from(invitations).where(open).get()?.n ?? 0
}
