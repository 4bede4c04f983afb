import { isChannelMuted } from '#features/foundation/channels/subscriptions.queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { VisibilityPolicy } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import { isMuted } from './policies.ts'
import { visibilityPolicy } from './queries.ts'

/** Whether a user muted what is sent to a topic. */
export function isTopicMuted(
  read: Read,
  userId: number,
  channelId: number,
  topicKey: string,
): boolean {
  return isMuted(visibilityPolicy(read, userId, channelId, topicKey), () =>
    isChannelMuted(read, userId, channelId),
  )
}

const policiesOf = preparedSql<{ channelId: number; topicKey: string; policy: VisibilityPolicy }>(`
  SELECT channel_id AS channelId, topic_key AS topicKey, policy FROM user_topics
  WHERE user_id = @userId`)
const mutedChannelsOf = preparedSql<{ channelId: number }>(`
  SELECT channel_id AS channelId FROM subscriptions
  WHERE user_id = @userId AND is_active AND is_muted`)

/** `isTopicMuted` for many topics: reads all of the user's policies in one query. */
export function mutingReader(
  read: Read,
  userId: number,
): (channelId: number, topicKey: string) => boolean {
  const channels = new Set(
    mutedChannelsOf(read)
      .all({ userId })
      .map(({ channelId }) => channelId),
  )
  const policies = new Map(
    policiesOf(read)
      .all({ userId })
      .map(({ channelId, topicKey, policy }) => [`${channelId} ${topicKey}`, policy]),
  )
  return (channelId, topicKey) =>
    isMuted(policies.get(`${channelId} ${topicKey}`) ?? 0, () => channels.has(channelId))
}
