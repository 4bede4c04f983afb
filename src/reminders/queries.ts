import { and, asc, eq, sql } from 'drizzle-orm'
import { preparedInsert } from '#store/insert.ts'
import { prepared, preparedSql } from '#store/prepared.ts'
import { reminders } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'

export type Reminder = typeof reminders.$inferSelect

const ofUser = prepared((db) =>
  db
    .select()
    .from(reminders)
    .where(eq(reminders.userId, sql.placeholder('userId')))
    .orderBy(asc(reminders.deliverAt), asc(reminders.id))
    .prepare(),
)

/** What a user wants to be reminded of, the next first. */
export function listReminders(read: Read, userId: number): Reminder[] {
  return ofUser(read).all({ userId })
}

const counted = preparedSql<{ count: number }>(
  'SELECT count(*) AS count FROM reminders WHERE user_id = @userId',
)

export function countReminders(read: Read, userId: number): number {
  return counted(read).get({ userId })?.count ?? 0
}

const next = preparedSql<{ deliverAt: number | null }>(
  'SELECT min(deliver_at) AS deliverAt FROM reminders',
)

/** When somebody is to be reminded next, in seconds since the epoch; undefined: nobody is. */
export function nextReminder(read: Read): number | undefined {
  return next(read).get({})?.deliverAt ?? undefined
}

const due = prepared((db) =>
  db
    .select()
    .from(reminders)
    .where(sql`${reminders.deliverAt} <= ${sql.placeholder('now')}`)
    .orderBy(asc(reminders.deliverAt), asc(reminders.id))
    .limit(1)
    .prepare(),
)

/** The reminder that has been due for longest. @param now seconds since the epoch */
export function findDueReminder(read: Read, now: number): Reminder | undefined {
  return due(read).get({ now })
}

export const insertReminder: (tx: Tx, row: Omit<Reminder, 'id'>) => Reminder =
  preparedInsert(reminders)

/** The user's own reminder of this id, removed; undefined when there was none. */
export function takeReminder(tx: Tx, userId: number, id: number): Reminder | undefined {
  const own = and(eq(reminders.id, id), eq(reminders.userId, userId))
  return tx.db.delete(reminders).where(own).returning().get()
}

const dropped = preparedSql<{ id: number; userId: number }>(`
  DELETE FROM reminders WHERE message_id IN (SELECT value FROM json_each(@ids))
  RETURNING id, user_id AS userId
`)

/** Removes all reminders of these messages; returns what was there. */
export function deleteRemindersOf(
  tx: Tx,
  messageIds: readonly number[],
): { id: number; userId: number }[] {
  return dropped(tx).all({ ids: JSON.stringify(messageIds) })
}
