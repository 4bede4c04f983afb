import { seconds } from '#platform/clock.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** How long a message can be posted again with its key, in seconds. */
const keptFor = 24 * 3600

/** How many keys a send deletes at most: it stays short after a quiet day. */
const mostDeleted = 100

const findOne = preparedSql<{ messageId: number }>(`
  SELECT message_id AS messageId FROM message_keys
  WHERE user_id = @userId AND key = @key AND sent_at > @since`)

/**
 * The ID of the message that a user sent with this key during the last day, even if it is deleted.
 *
 * @param key undefined: none
 */
export function findKeyed(read: Read, userId: number, key: string | undefined): number | undefined {
  if (key === undefined) return undefined
  const since = seconds(read.clock) - keptFor
  return findOne(read).get({ userId, key, since })?.messageId
}

const insertOne = preparedSql(`
  INSERT INTO message_keys (user_id, key, message_id, sent_at)
  VALUES (@userId, @key, @messageId, @sentAt)
  ON CONFLICT DO UPDATE SET message_id = excluded.message_id, sent_at = excluded.sent_at`)

const deleteSome = preparedSql(`
  DELETE FROM message_keys WHERE rowid IN (
    SELECT rowid FROM message_keys WHERE sent_at <= @until LIMIT @most)`)

/** Stores the key of a message. Deletes keys that are too old. */
export function insertKey(tx: Tx, userId: number, key: string, messageId: number): void {
  const sentAt = seconds(tx.clock)
  deleteSome(tx).run({ until: sentAt - keptFor, most: mostDeleted })
  insertOne(tx).run({ userId, key, messageId, sentAt })
}
