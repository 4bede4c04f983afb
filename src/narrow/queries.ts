import { prepared, preparedSql } from '#store/prepared.ts'
import type { Read } from '#store/write.ts'

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

const followedTopics = prepared((db) =>
  db.$client
    .prepare<[number], [recipientId: number, topicKey: string]>(
      `SELECT c.recipient_id, t.topic_key FROM user_topics t JOIN channels c ON c.id = t.channel_id
       WHERE t.user_id = ? AND t.policy = 3`,
    )
    .raw(),
)

/** The topics a user follows, by their channel's recipient. */
export function listFollowedTopics(read: Read, userId: number): [number, string][] {
  return followedTopics(read).all(userId)
}

const inSearchIndex = prepared((db) =>
  db.$client
    .prepare<[string, number], number>(
      'SELECT 1 FROM messages_fts WHERE messages_fts MATCH ? AND rowid = ?',
    )
    .pluck(),
)

/** Whether one message is among those that a full-text query finds. */
export function isFound(read: Read, query: string, messageId: number): boolean {
  return inSearchIndex(read).get(query, messageId) !== undefined
}
