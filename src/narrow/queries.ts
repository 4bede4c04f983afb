import { prepared, preparedSql } from '#store/prepared.ts'
import type { Read } from '#store/write.ts'
import type { VisibilityPolicy } from '#user-topics/queries.ts'

interface OwnSpan {
  readonly recipientId: number
  /** Whether the user is subscribed to the channel now. */
  readonly isActive: number
  readonly fromMessage: number
  readonly untilMessage: number | null
}

const ownSpans = preparedSql<OwnSpan>(`
  SELECT c.recipient_id AS recipientId, s.from_message AS fromMessage,
    s.until_message AS untilMessage,
    coalesce((SELECT b.is_active FROM subscriptions b
      WHERE b.user_id = s.user_id AND b.channel_id = s.channel_id), 0) AS isActive
  FROM subscription_spans s JOIN channels c ON c.id = s.channel_id
  WHERE s.user_id = @userId`)

/** When a user was subscribed to any channel, by the channel's recipient. */
export function listOwnSpans(read: Read, userId: number): OwnSpan[] {
  return ownSpans(read).all({ userId })
}

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

/** Recipient ids of the direct conversations that two users share; all of them for one user. */
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

/** The topics for which a user has this policy, with their channel's recipient. */
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

/** Recipient ids of the channels that a user is subscribed to and muted. */
export function listMutedRecipients(read: Read, userId: number): number[] {
  return mutedRecipients(read).all(userId)
}

const inSearchIndex = prepared((db) =>
  db.$client
    .prepare<[string, number], number>(
      // Cast: a full-text table ignores a rowid that is bound as a real number.
      'SELECT 1 FROM messages_fts WHERE messages_fts MATCH ? AND rowid = CAST(? AS INTEGER)',
    )
    .pluck(),
)

/** Whether one message is among those that a full-text query finds. */
export function isFound(read: Read, query: string, messageId: number): boolean {
  return inSearchIndex(read).get(query, messageId) !== undefined
}

/** A word in more messages than this is common: looking each of them up costs too much. */
const commonHits = 5000

const hits = prepared((db) =>
  db.$client
    .prepare<[string], number>(
      `SELECT count(*) FROM (
         SELECT 1 FROM messages_fts WHERE messages_fts MATCH ? LIMIT ${commonHits})`,
    )
    .pluck(),
)

/** Whether a full-text query finds so much that other filters should narrow it down first. */
export function isCommonQuery(read: Read, query: string): boolean {
  return hits(read).get(query) === commonHits
}
