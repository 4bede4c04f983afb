import { and, asc, eq, sql } from 'drizzle-orm'
import { preparedInsert } from '#platform/store/insert.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { reminders } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Reminder = typeof reminders.$inferSelect

const ofUser = prepared((db) =>
  db
    .select()
    .from(reminders)
    .where(eq(reminders.userId, sql.placeholder('userId')))
    .orderBy(asc(reminders.deliverAt), asc(reminders.id))
    .prepare(),
)

/** A user's reminders, the next one first. */
export function listReminders(read: Read, userId: number): Reminder[] {
  return ofUser(read).all({ userId })
}

const next = preparedSql<{ deliverAt: number | null }>(
  'SELECT min(deliver_at) AS deliverAt FROM reminders',
)

/** When the next reminder is due, in seconds since the epoch; undefined when there is none. */
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

/** The reminder that has been due the longest. @param now seconds since the epoch */
export function findDueReminder(read: Read, now: number): Reminder | undefined {
  return due(read).get({ now })
}

export const insertReminder: (tx: Tx, row: Omit<Reminder, 'id'>) => Reminder =
  preparedInsert(reminders)

/** Removes the user's own reminder of this id and returns it; undefined when there was none. */
export function takeReminder(tx: Tx, userId: number, id: number): Reminder | undefined {
  const own = and(eq(reminders.id, id), eq(reminders.userId, userId))
  return tx.db.delete(reminders).where(own).returning().get()
}

const dropped = preparedSql<{ id: number; userId: number }>(`
  DELETE FROM reminders WHERE message_id IN (SELECT value FROM json_each(@ids))
  RETURNING id, user_id AS userId
`)

/** Removes all reminders of these messages and returns their ids and users. */
export function deleteRemindersOf(
  tx: Tx,
  messageIds: readonly number[],
): { id: number; userId: number }[] {
  return dropped(tx).all({ ids: JSON.stringify(messageIds) })
}
