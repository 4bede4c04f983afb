import { accessContent, canAccessMetadata } from '#channels/access.ts'
import { type Channel, findChannel } from '#channels/queries.ts'
import { seconds } from '#clock.ts'
import { badRequest } from '#errors.ts'
import type { Caller } from '#http/caller.ts'
import { realmSetting } from '#realm/settings.ts'
import type { Tx } from '#store/write.ts'
import { requireTopic, topicKey } from '#topics/names.ts'
import { findUser } from '#users/queries.ts'
import { mutedTopicsEvent, userTopicEvent } from './events.ts'
import { mutedTopicsJson } from './json.ts'
import {
  deleteUserTopic,
  upsertUserTopic,
  type VisibilityPolicy,
  visibilityPolicies,
  visibilityPolicy,
} from './queries.ts'

/**
 * Sets what the caller wants of a topic, whether or not anything was written in it.
 *
 * @throws BAD_REQUEST "Invalid channel ID": no such channel, or not one that the caller may read;
 * a policy that is still there from before may be taken back all the same
 * @throws BAD_REQUEST: not a topic
 * @source contract, "Update personal preferences for a topic"
 */
export function updateUserTopic(
  tx: Tx,
  caller: Caller,
  channelId: number,
  topic: string,
  policy: VisibilityPolicy,
): void {
  const name = requireTopic(tx, topic)
  const channel =
    policy === visibilityPolicies.none
      ? accessForRemoval(tx, caller, channelId, name)
      : accessContent(tx, caller, channelId)
  setVisibilityPolicy(tx, caller.user.id, channel, name, policy)
}

function accessForRemoval(tx: Tx, { user }: Caller, channelId: number, topic: string): Channel {
  const channel = findChannel(tx, channelId)
  const own = visibilityPolicy(tx, user.id, channelId, topicKey(topic))
  if (!channel || (own === visibilityPolicies.none && !canAccessMetadata(tx, user, channel))) {
    throw badRequest('Invalid channel ID')
  }
  return channel
}

/** Stores what a user wants of a topic and tells the user's clients. Checks nothing. */
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
  const event = {
    stream_id: channel.id,
    topic_name: topic,
    last_updated: lastUpdated,
    visibility_policy: policy,
  }
  tx.emit(userTopicEvent(event, realmSetting(tx, 'empty_topic_display_name')), [userId])
  const { muted } = visibilityPolicies
  if (before === muted || policy === muted) tellMutedTopics(tx, userId)
}

function tellMutedTopics(tx: Tx, userId: number): void {
  const user = findUser(tx, userId)
  if (!user) return
  const named = mutedTopicsJson(tx, user, false)
  const empty = mutedTopicsJson(tx, user, true)
  tx.emit(
    mutedTopicsEvent((allowEmptyTopicName) => (allowEmptyTopicName ? empty : named)),
    [userId],
  )
}
