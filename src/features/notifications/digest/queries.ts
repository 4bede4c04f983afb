import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { digestRuns } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import type { BusyTopic } from './choice.ts'

export type DigestRun = typeof digestRuns.$inferSelect

const runs = prepared((db) => db.select().from(digestRuns).limit(1).prepare())

/** The last time that digests were made, or the one now; undefined: there was none. */
export function findDigestRun(read: Read): DigestRun | undefined {
  return runs(read).get()
}

/** Begins to make digests. */
export function insertDigestRun(tx: Tx, startedAt: number): void {
  tx.db.delete(digestRuns).run()
  tx.db.insert(digestRuns).values({ startedAt, afterUserId: 0, isDone: false }).run()
}

/** Stores how far the digests are. */
export function updateDigestRun(tx: Tx, afterUserId: number, isDone: boolean): void {
  tx.db.update(digestRuns).set({ afterUserId, isDone }).run()
}

/** Only the newest messages are considered. */
const mostMessages = 50_000

const busy = preparedSql<BusyTopic>(`
  SELECT m.recipient_id AS recipientId, m.topic_key AS topicKey, count(*) AS messages,
    count(DISTINCT m.sender_id) AS senders, min(m.id) AS firstId
  FROM messages m
  JOIN channels c ON c.recipient_id = m.recipient_id AND NOT c.is_archived
  JOIN users u ON u.id = m.sender_id AND u.bot_type IS NULL
  WHERE m.id > (SELECT max(id) FROM messages) - ${mostMessages} AND m.sent_at >= @since
  GROUP BY m.recipient_id, m.topic_key
`)

/** The topics of channels in which people wrote since a time. */
export function listBusyTopics(read: Read, since: number): BusyTopic[] {
  return busy(read).all({ since })
}

const firstOnes = preparedSql<{ id: number }>(`
  SELECT id FROM messages
  WHERE recipient_id = @recipientId AND topic_key = @topicKey AND id >= @firstId
    AND sender_id NOT IN (SELECT muted_id FROM muted_users WHERE user_id = @userId)
  ORDER BY id LIMIT 2
`)

/**
 * IDs of two messages of a topic that show what it is about, without those of users whom the reader
 * muted.
 */
export function listSamples(read: Read, userId: number, topic: BusyTopic): number[] {
  return firstOnes(read)
    .all({ ...topic, userId })
    .map(({ id }) => id)
}
