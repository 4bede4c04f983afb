import type { Channel } from '#features/foundation/channels/queries.ts'
import { isChannelMuted } from '#features/foundation/channels/subscriptions.queries.ts'
import { type Message, startsTopic } from '#features/foundation/core/queries.ts'
import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { findSubscriberSettings } from '#features/messaging/notifications/queries.ts'
import { setVisibilityPolicy } from '#features/messaging/user-topics/actions.ts'
import { isMoreVisible } from '#features/messaging/user-topics/policies.ts'
import { visibilityPolicy } from '#features/messaging/user-topics/queries.ts'
import { userTopicQuota } from '#features/messaging/user-topics/quotas.ts'
import { hasRoom } from '#platform/quotas/room.ts'
import { visibilityPolicies } from '#platform/store/schema.ts'
import type { Tx } from '#platform/store/store.ts'

const { none, unmuted, followed } = visibilityPolicies
export type NewPolicy = typeof unmuted | typeof followed

/** Values of the two settings for automatically following and unmuting topics. */
const onParticipation = 1
const onSending = 2
const onStarting = 3

/**
 * Follows or unmutes the topic of a sent message according to its sender's settings. Never lowers
 * a policy.
 *
 * @returns the new policy; undefined when nothing changed
 * @source Zulip API, "Update settings", `automatically_follow_topics_policy` and
 * `automatically_unmute_topics_in_muted_streams_policy`
 */
export function followOnSend(
  tx: Tx,
  sender: User,
  channel: Channel,
  message: Message,
): NewPolicy | undefined {
  return followBySettings(
    tx,
    sender,
    channel,
    message.topic,
    (policy) =>
      policy === onParticipation ||
      policy === onSending ||
      (policy === onStarting && startsTopic(tx, message)),
  )
}

/** The same for a user who participates in a topic by a reaction or a vote. */
export function followOnParticipation(tx: Tx, user: User, channel: Channel, topic: string): void {
  followBySettings(tx, user, channel, topic, (policy) => policy === onParticipation)
}

function followBySettings(
  tx: Tx,
  user: User,
  channel: Channel,
  topic: string,
  applies: (policy: number) => boolean,
): NewPolicy | undefined {
  if (user.botType !== null) return undefined
  if (applies(userSetting(tx, user.id, 'automatically_follow_topics_policy'))) {
    return raise(tx, user.id, channel, topic, followed)
  }
  const unmutes = userSetting(tx, user.id, 'automatically_unmute_topics_in_muted_streams_policy')
  if (!applies(unmutes) || !isChannelMuted(tx, user.id, channel.id)) return undefined
  return raise(tx, user.id, channel, topic, unmuted)
}

/** Follows a topic for those of its subscribers who were mentioned in it, if their settings say so. */
export function followOnMention(
  tx: Tx,
  userIds: readonly number[],
  channel: Channel,
  topic: string,
): void {
  if (userIds.length === 0) return
  const known = findSubscriberSettings(tx, channel.id, topicKey(topic), userIds)
  for (const [userId, { policy }] of known) {
    if (!userSetting(tx, userId, 'automatically_follow_topics_where_mentioned')) continue
    raise(tx, userId, channel, topic, followed, policy)
  }
}

function raise(
  tx: Tx,
  userId: number,
  channel: Channel,
  topic: string,
  policy: NewPolicy,
  before = visibilityPolicy(tx, userId, channel.id, topicKey(topic)),
): NewPolicy | undefined {
  if (!isMoreVisible(policy, before)) return undefined
  // The user did not request this policy, so reaching its limit must not fail the message.
  if (before === none && !hasRoom(tx, userTopicQuota, { id: userId })) return undefined
  setVisibilityPolicy(tx, userId, channel, topic, policy)
  return policy
}
