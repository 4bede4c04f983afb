import { and, asc, lte, min, sql } from 'drizzle-orm'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { notifications } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

const first = prepared((db) =>
  db
    .select({ at: min(notifications.emailDueAt) })
    .from(notifications)
    .where(sql`email_due_at IS NOT NULL`)
    .prepare(),
)

/** When the next mail about messages is due, in seconds since the epoch. */
export function nextMissedMail(read: Read): number | undefined {
  return first(read).get()?.at ?? undefined
}

/** The person whose mail about messages is due; undefined if none is. */
export function findDueReader(read: Read, now: number): number | undefined {
  return read.db
    .select({ userId: notifications.userId })
    .from(notifications)
    .where(and(sql`email_due_at IS NOT NULL`, lte(notifications.emailDueAt, now)))
    .orderBy(asc(notifications.emailDueAt))
    .limit(1)
    .get()?.userId
}

const pending = preparedSql<{ messageId: number; groupId: number | null }>(`
  SELECT message_id AS messageId, group_id AS groupId FROM notifications
  WHERE user_id = @userId AND email_due_at IS NOT NULL
`)

/** The messages that wait for a mail to someone, with the group it mentions. */
export function listPending(read: Read, userId: number): Map<number, number | null> {
  const rows = pending(read).all({ userId })
  return new Map(rows.map(({ messageId, groupId }) => [messageId, groupId]))
}

const clear = preparedSql(`
  UPDATE notifications SET email_due_at = NULL
  WHERE user_id = @userId AND message_id IN (SELECT value FROM json_each(@messageIds))
`)

/** These messages wait no longer for a mail to someone. */
export function clearPending(tx: Tx, userId: number, messageIds: readonly number[]): void {
  clear(tx).run({ userId, messageIds: JSON.stringify(messageIds) })
}

const before = preparedSql<{ id: number }>(`
  SELECT id FROM messages
  WHERE recipient_id = @recipientId AND topic_key = @topicKey AND id < @id AND sent_at >= @since
  ORDER BY id DESC LIMIT 10
`)

/** Ids of the newest messages of a topic before one of them, ascending: at most ten. */
export function listBefore(
  read: Read,
  message: { readonly id: number; readonly recipientId: number; readonly topicKey: string },
  since: number,
): number[] {
  return before(read)
    .all({ ...message, since })
    .map(({ id }) => id)
    .reverse()
}
