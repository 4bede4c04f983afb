import { ownReader } from '#features/foundation/own-history/access.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import type { VisibilityPolicy } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'

const directRecipients = prepared((db) =>
  db.$client
    .prepare<[number], number>('SELECT recipient_id FROM direct_members WHERE user_id = ?')
    .pluck(),
)

/** Recipient ids of a user's direct conversations. */
export function listDirectRecipients(read: Read, userId: number): number[] {
  return directRecipients(read).all(userId)
}

const sharedDirectRecipients = prepared((db) =>
  db.$client
    .prepare<[number, number], number>(
      `SELECT mine.recipient_id FROM direct_members mine
       JOIN direct_members theirs
         ON theirs.user_id = ? AND theirs.recipient_id = mine.recipient_id
       WHERE mine.user_id = ?`,
    )
    .pluck(),
)

/** Recipient ids of the direct conversations that include both users, who may be the same. */
export function listSharedDirects(read: Read, userId: number, otherId: number): number[] {
  return sharedDirectRecipients(read).all(otherId, userId)
}

const topicsOfPolicy = prepared((db) =>
  db.$client
    .prepare<[number, number], [recipientId: number, topicKey: string]>(
      `SELECT c.recipient_id, t.topic_key FROM user_topics t JOIN channels c ON c.id = t.channel_id
       WHERE t.user_id = ? AND t.policy = ?`,
    )
    .raw(),
)

/** The topics with this visibility policy of a user, with the recipient of their channel. */
export function listTopicsOfPolicy(
  read: Read,
  userId: number,
  policy: VisibilityPolicy,
): [recipientId: number, topicKey: string][] {
  return topicsOfPolicy(read).all(userId, policy)
}

const mutedRecipients = prepared((db) =>
  db.$client
    .prepare<[number], number>(
      `SELECT c.recipient_id FROM subscriptions b JOIN channels c ON c.id = b.channel_id
       WHERE b.user_id = ? AND b.is_active AND b.is_muted`,
    )
    .pluck(),
)

/** Recipient ids of the muted channels that a user is subscribed to. */
export function listMutedRecipients(read: Read, userId: number): number[] {
  return mutedRecipients(read).all(userId)
}

const movedWildcards = preparedSql<{ id: number; channelId: number }>(`
  SELECT m.id, r.channel_id AS channelId
  FROM messages m INDEXED BY messages_wildcard
  JOIN moved_messages x ON x.message_id = m.id
  JOIN recipients r ON r.id = m.recipient_id
  WHERE m.channel_wildcard`)

/** Ids of the user's own messages among those that mention a channel and were moved to another. */
export function listOwnMovedWildcards(read: Read, userId: number): number[] {
  const moved = movedWildcards(read).all({})
  if (moved.length === 0) return []
  return moved.filter(ownReader(read, userId, moved)).map(({ id }) => id)
}

/** A query is common if this many of the newest messages match it: one in twenty. */
const common = { matches: 25, newest: 500 } as const

// SQLite has to read every occurrence of a phrase of common words, which is unbounded over all
// messages.
const hits = prepared((db) =>
  db.$client
    .prepare<[string], number>(
      `SELECT count(*) FROM (
         SELECT 1 FROM messages_fts
         WHERE messages_fts MATCH ?
           AND rowid > (SELECT max(id) FROM messages) - ${common.newest}
         LIMIT ${common.matches})`,
    )
    .pluck(),
)

/** Whether a full-text query matches so many messages that another filter should come first. */
export function isCommonQuery(read: Read, query: string): boolean {
  return hits(read).get(query) === common.matches
}
