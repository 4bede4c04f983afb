import { asc, count, eq, gt, lte, min, type SQL } from 'drizzle-orm'
import { seconds } from '#platform/clock.ts'
import { preparedInsert } from '#platform/store/insert.ts'
import { prepared } from '#platform/store/prepared.ts'
import { outgoingMail } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type WaitingMail = typeof outgoingMail.$inferSelect

const insertOne = preparedInsert(outgoingMail)

export function insertMail(tx: Tx, row: typeof outgoingMail.$inferInsert): void {
  insertOne(tx, row)
}

const first = prepared((db) =>
  db
    .select({ at: min(outgoingMail.dueAt) })
    .from(outgoingMail)
    .prepare(),
)

/** When the next mail is due, in seconds since the epoch. */
export function nextMailDue(read: Read): number | undefined {
  return first(read).get()?.at ?? undefined
}

/** How many mails wait to be sent, and of these, how many have failed before. */
export function countWaitingMail({ db }: Read): { all: number; failed: number } {
  const counted = (where?: SQL) =>
    db.select({ n: count() }).from(outgoingMail).where(where).get()?.n ?? 0
  return { all: counted(), failed: counted(gt(outgoingMail.failures, 0)) }
}

/** The oldest mail that is due. */
export function findDueMail(read: Read): WaitingMail | undefined {
  return read.db
    .select()
    .from(outgoingMail)
    .where(lte(outgoingMail.dueAt, seconds(read.clock)))
    .orderBy(asc(outgoingMail.id))
    .limit(1)
    .get()
}

export function deleteMail(tx: Tx, id: number): void {
  tx.db.delete(outgoingMail).where(eq(outgoingMail.id, id)).run()
}

/** Schedules the retry of a failed mail. */
export function postponeMail(tx: Tx, id: number, failures: number, dueAt: number): void {
  tx.db.update(outgoingMail).set({ failures, dueAt }).where(eq(outgoingMail.id, id)).run()
}
