import { and, eq } from 'drizzle-orm'
import type { Message } from '#features/foundation/core/queries.ts'
import { userSettingRules } from '#features/foundation/users/settings.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import { userTopics, visibilityPolicies } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** A message to move; its contents stay where they are. */
export type MovedMessage = Pick<Message, 'id' | 'sentAt'>

const inTopic = preparedSql<MovedMessage>(`
  SELECT id, sent_at AS sentAt FROM messages
  WHERE recipient_id = @recipientId AND topic_key = @topicKey AND id >= @fromId ORDER BY id
`)

/** The messages of a topic with ids from `fromId` on, ascending. */
export function listTopicMessages(
  read: Read,
  recipientId: number,
  topicKey: string,
  fromId = 0,
): MovedMessage[] {
  return inTopic(read).all({ recipientId, topicKey, fromId })
}

// In one statement, because FTS5 writes a segment for each.
const moveAll = preparedSql(`
  UPDATE messages SET recipient_id = @recipientId, topic = @topic, topic_key = @topicKey,
    last_moved_at = coalesce(@movedAt, last_moved_at)
  WHERE id IN (SELECT value FROM json_each(@ids))
`)

interface NewLocation {
  readonly recipientId: number
  readonly topic: string
  readonly topicKey: string
  /** Seconds since the epoch; null to leave `lastMovedAt` unchanged, as for a resolved topic. */
  readonly movedAt: number | null
}

const movePins = preparedSql(`
  UPDATE pinned_messages SET recipient_id = @recipientId
  WHERE message_id IN (SELECT value FROM json_each(@ids))
`)

export function relocateMessages(tx: Tx, ids: readonly number[], place: NewLocation): void {
  const all = JSON.stringify(ids)
  moveAll(tx).run({ ...place, ids: all })
  movePins(tx).run({ recipientId: place.recipientId, ids: all })
}

const oldest = preparedSql<{ id: number | null }>(
  'SELECT min(id) AS id FROM messages WHERE recipient_id = @recipientId',
)

/** The id of the oldest message in a recipient; null when there is none. */
export function oldestMessageId(read: Read, recipientId: number): number | null {
  return oldest(read).get({ recipientId })?.id ?? null
}

/** All users' visibility policies for a topic. */
export function listTopicPolicies(read: Read, channelId: number, topicKey: string) {
  return read.db
    .select()
    .from(userTopics)
    .where(and(eq(userTopics.channelId, channelId), eq(userTopics.topicKey, topicKey)))
    .all()
}

const unconcerned = preparedSql<{ userId: number }>(`
  SELECT s.user_id AS userId
  FROM subscriptions s
  LEFT JOIN user_settings chosen ON chosen.user_id = s.user_id
    AND chosen.name = 'resolved_topic_notice_auto_read_policy'
  LEFT JOIN user_topics t ON t.user_id = s.user_id
    AND t.channel_id = s.channel_id AND t.topic_key = @topicKey
  WHERE s.channel_id = @channelId AND s.is_active
    AND CASE coalesce(chosen.value, '"${userSettingRules.resolved_topic_notice_auto_read_policy.fallback}"')
      WHEN '"always"' THEN 1
      WHEN '"except_followed"' THEN coalesce(t.policy, 0) <> ${visibilityPolicies.followed}
      ELSE 0
    END
`)

/**
 * Ids of subscribers for whom the notice about a resolved topic starts as read.
 *
 * @source Zulip API, "Update settings", `resolved_topic_notice_auto_read_policy` (feature level
 * 385)
 */
export function listAutoReaders(read: Read, channelId: number, topicKey: string): number[] {
  return unconcerned(read)
    .all({ channelId, topicKey })
    .map(({ userId }) => userId)
}
