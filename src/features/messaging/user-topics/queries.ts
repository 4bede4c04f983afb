import { and, asc, eq, sql } from 'drizzle-orm'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { userTopics, type VisibilityPolicy, visibilityPolicies } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type UserTopic = typeof userTopics.$inferSelect

const ofTopic = prepared((db) =>
  db
    .select({ policy: userTopics.policy })
    .from(userTopics)
    .where(
      and(
        eq(userTopics.userId, sql.placeholder('userId')),
        eq(userTopics.channelId, sql.placeholder('channelId')),
        eq(userTopics.topicKey, sql.placeholder('key')),
      ),
    )
    .prepare(),
)

/** A user's visibility policy for a topic, found by its key; 0 if the user set none. */
export function visibilityPolicy(
  read: Read,
  userId: number,
  channelId: number,
  key: string,
): VisibilityPolicy {
  const row = ofTopic(read).get({ userId, channelId, key })
  return row?.policy ?? visibilityPolicies.none
}

const ofUser = prepared((db) =>
  db
    .select()
    .from(userTopics)
    .where(eq(userTopics.userId, sql.placeholder('userId')))
    .orderBy(asc(userTopics.channelId), asc(userTopics.topicKey))
    .prepare(),
)

/** All topics for which a user set a visibility policy. */
export function listUserTopics(read: Read, userId: number): UserTopic[] {
  return ofUser(read).all({ userId })
}

const ofChannel = prepared((db) =>
  db
    .select()
    .from(userTopics)
    .where(eq(userTopics.channelId, sql.placeholder('channelId')))
    .orderBy(asc(userTopics.topicKey), asc(userTopics.userId))
    .prepare(),
)

/** Everyone's policies for the topics of a channel. */
export function listPoliciesIn(read: Read, channelId: number): UserTopic[] {
  return ofChannel(read).all({ channelId })
}

const upsert = preparedSql(`
  INSERT INTO user_topics (user_id, channel_id, topic, topic_key, policy, last_updated)
  VALUES (@userId, @channelId, @topic, @topicKey, @policy, @lastUpdated)
  ON CONFLICT (user_id, channel_id, topic_key)
  DO UPDATE SET topic = @topic, policy = @policy, last_updated = @lastUpdated
`)

export function upsertUserTopic(tx: Tx, row: Omit<UserTopic, 'topicKey'>): void {
  upsert(tx).run({ ...row, topicKey: topicKey(row.topic) })
}

export function deleteUserTopic(tx: Tx, userId: number, channelId: number, key: string): void {
  tx.db
    .delete(userTopics)
    .where(
      and(
        eq(userTopics.userId, userId),
        eq(userTopics.channelId, channelId),
        eq(userTopics.topicKey, key),
      ),
    )
    .run()
}
