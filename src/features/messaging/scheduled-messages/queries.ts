import { and, asc, eq, sql } from 'drizzle-orm'
import { preparedInsert } from '#platform/store/insert.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { scheduledMessages, sentScheduledMessages } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type ScheduledMessage = typeof scheduledMessages.$inferSelect

const ofSender = prepared((db) =>
  db
    .select()
    .from(scheduledMessages)
    .where(eq(scheduledMessages.senderId, sql.placeholder('senderId')))
    .orderBy(asc(scheduledMessages.deliverAt), asc(scheduledMessages.id))
    .prepare(),
)

/** A user's scheduled messages, including failed ones, by delivery time. */
export function listScheduledMessages(read: Read, senderId: number): ScheduledMessage[] {
  return ofSender(read).all({ senderId })
}

/** The user's own scheduled message of this id. */
export function findScheduledMessage(
  read: Read,
  senderId: number,
  id: number,
): ScheduledMessage | undefined {
  const own = and(eq(scheduledMessages.id, id), eq(scheduledMessages.senderId, senderId))
  return read.db.select().from(scheduledMessages).where(own).get()
}

const next = preparedSql<{ deliverAt: number | null }>(
  'SELECT min(deliver_at) AS deliverAt FROM scheduled_messages WHERE NOT failed',
)

/** When the next message is due, in seconds since the epoch; undefined when there is none. */
export function nextDelivery(read: Read): number | undefined {
  return next(read).get({})?.deliverAt ?? undefined
}

const firstDue = prepared((db) =>
  db
    .select()
    .from(scheduledMessages)
    .where(
      sql`NOT ${scheduledMessages.failed} AND ${scheduledMessages.deliverAt} <= ${sql.placeholder('now')}`,
    )
    .orderBy(asc(scheduledMessages.deliverAt), asc(scheduledMessages.id))
    .limit(1)
    .prepare(),
)

/** The message that has been due the longest. @param now seconds since the epoch */
export function findDueMessage(read: Read, now: number): ScheduledMessage | undefined {
  return firstDue(read).get({ now })
}

export const insertScheduledMessage: (
  tx: Tx,
  row: Omit<ScheduledMessage, 'id' | 'failed'>,
) => ScheduledMessage = preparedInsert(scheduledMessages)

export function updateScheduledMessage(
  tx: Tx,
  id: number,
  changes: Partial<Omit<ScheduledMessage, 'id' | 'senderId'>>,
): ScheduledMessage {
  const changed = tx.db.update(scheduledMessages).set(changes).where(eq(scheduledMessages.id, id))
  return changed.returning().get()
}

export function deleteScheduledMessage(tx: Tx, id: number): void {
  tx.db.delete(scheduledMessages).where(eq(scheduledMessages.id, id)).run()
}

/** How many sent messages of a user are remembered. */
const sentKept = 100

const forgetOlder = preparedSql(`
  DELETE FROM sent_scheduled_messages WHERE sender_id = @senderId AND id < (
    SELECT id FROM sent_scheduled_messages WHERE sender_id = @senderId
    ORDER BY id DESC LIMIT 1 OFFSET ${sentKept - 1})`)

/** Remembers that a message was sent, and forgets the sender's oldest. */
export function rememberSentMessage(tx: Tx, { id, senderId }: ScheduledMessage): void {
  tx.db.insert(sentScheduledMessages).values({ id, senderId }).run()
  forgetOlder(tx).run({ senderId })
}

/** Forgets a sent message of this user. @returns whether there was one */
export function forgetSentMessage(tx: Tx, senderId: number, id: number): boolean {
  const { id: sentId, senderId: sender } = sentScheduledMessages
  const own = and(eq(sentId, id), eq(sender, senderId))
  return tx.db.delete(sentScheduledMessages).where(own).run().changes > 0
}
