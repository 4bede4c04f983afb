import { accessContent, canAccessMetadata } from '#features/foundation/channels/access.ts'
import { type Channel, findChannel } from '#features/foundation/channels/queries.ts'
import { isTopicOf } from '#features/foundation/core/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import {
  normalizeTopic,
  requireTopic,
  topicKey,
} from '#features/foundation/recipients/topics.rules.ts'
import { findUser, type User } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import { type VisibilityPolicy, visibilityPolicies } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { mutedTopicsEvent, userTopicEvent } from './events.ts'
import { mutedTopicsJson } from './json.ts'
import {
  deleteUserTopic,
  listPoliciesIn,
  type UserTopic,
  upsertUserTopic,
  visibilityPolicy,
} from './queries.ts'
import { userTopicQuota } from './quotas.ts'

/**
 * Sets the caller's visibility policy for a topic; the topic need not have messages. The caller may
 * remove an existing policy even after losing access to the channel.
 *
 * @throws BAD_REQUEST "Invalid channel ID": no such channel, or the caller has no content access
 * @throws BAD_REQUEST an invalid topic, or policies for too many topics
 * @source Zulip API, "Update personal preferences for a topic"
 */
export function updateUserTopic(
  tx: Tx,
  caller: Caller,
  channelId: number,
  topic: string,
  policy: VisibilityPolicy,
): void {
  const channel =
    policy === visibilityPolicies.none
      ? accessForRemoval(tx, caller, channelId, normalizeTopic(tx, topic))
      : accessContent(tx, caller, channelId)
  const isKnown = (name: string) =>
    hasPolicy(tx, caller.user, channel, name) || isTopicOf(tx, channel)(name)
  const name = requireTopic(tx, topic, isKnown)
  if (policy !== visibilityPolicies.none && !hasPolicy(tx, caller.user, channel, name)) {
    requireRoom(tx, userTopicQuota, caller.user)
  }
  setVisibilityPolicy(tx, caller.user.id, channel, name, policy)
}

/** Whether the user has a visibility policy for a topic, so that changing it takes no more room. */
function hasPolicy(read: Read, user: User, channel: Channel, topic: string): boolean {
  return visibilityPolicy(read, user.id, channel.id, topicKey(topic)) !== visibilityPolicies.none
}

function accessForRemoval(tx: Tx, { user }: Caller, channelId: number, topic: string): Channel {
  const channel = findChannel(tx, channelId)
  const own = visibilityPolicy(tx, user.id, channelId, topicKey(topic))
  if (!channel || (own === visibilityPolicies.none && !canAccessMetadata(tx, user, channel))) {
    throw badRequest(sentSentence('Invalid channel ID'), { parameter: 'stream_id' })
  }
  return channel
}

/** Stores a user's visibility policy for a topic and emits it to the user. Checks no access. */
export function setVisibilityPolicy(
  tx: Tx,
  userId: number,
  channel: Channel,
  topic: string,
  policy: VisibilityPolicy,
): void {
  const before = visibilityPolicy(tx, userId, channel.id, topicKey(topic))
  const lastUpdated = seconds(tx.clock)
  if (policy === visibilityPolicies.none) deleteUserTopic(tx, userId, channel.id, topicKey(topic))
  else upsertUserTopic(tx, { userId, channelId: channel.id, topic, policy, lastUpdated })
  emitPolicy(tx, channel, { userId, topic, policy, lastUpdated })
  const { muted } = visibilityPolicies
  if (before === muted || policy === muted) emitMutedTopics(tx, userId)
}

/** Emits the policies for a channel to its viewers, whose clients have dropped them with the channel. */
export function emitPolicies(
  tx: Tx,
  channel: Channel,
  isViewer: (userId: number) => boolean,
): void {
  const policies = listPoliciesIn(tx, channel.id).filter(
    ({ userId }) => tx.liveUsers.has(userId) && isViewer(userId),
  )
  for (const row of policies) emitPolicy(tx, channel, row)
  const muters = policies.filter(({ policy }) => policy === visibilityPolicies.muted)
  for (const userId of new Set(muters.map((row) => row.userId))) emitMutedTopics(tx, userId)
}

function emitPolicy(
  tx: Tx,
  { id, isArchived }: Channel,
  { userId, topic, policy, lastUpdated }: Omit<UserTopic, 'channelId' | 'topicKey'>,
): void {
  if (!tx.liveUsers.has(userId)) return
  const event = {
    stream_id: id,
    topic_name: topic,
    last_updated: lastUpdated,
    visibility_policy: policy,
  }
  const emptyTopicName = realmSetting(tx, 'empty_topic_display_name')
  tx.emit(userTopicEvent(event, emptyTopicName, isArchived), [userId])
}

function emitMutedTopics(tx: Tx, userId: number): void {
  const user = findUser(tx, userId)
  if (!user) return
  const named = mutedTopicsJson(tx, user, false)
  const empty = mutedTopicsJson(tx, user, true)
  tx.emit(
    mutedTopicsEvent((allowEmptyTopicName) => (allowEmptyTopicName ? empty : named)),
    [userId],
  )
}
