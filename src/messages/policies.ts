import type { Channel } from '#channels/queries.ts'
import type { Tx } from '#store/write.ts'
import { isChannelMuted } from '#subscriptions/queries.ts'
import { topicKey } from '#topics/names.ts'
import { setVisibilityPolicy } from '#user-topics/actions.ts'
import { visibilityPolicy } from '#user-topics/queries.ts'
import type { User } from '#users/queries.ts'
import { userSetting } from '#users/settings.ts'

const unmuted = 2
const followed = 3
export type NewPolicy = typeof unmuted | typeof followed

/** Values of the two settings that say when a topic is followed or unmuted by itself. */
const onParticipation = 1
const onSending = 2
const onStarting = 3

/** Policies by how much they ask for a topic: muted, none, unmuted, followed. */
const rank = [1, 0, 2, 3] as const

/**
 * Follows or unmutes the topic that a message went to, as its sender's settings say. Never makes
 * a policy weaker than it is.
 *
 * @returns the new policy; undefined when nothing changed
 * @source contract, "Topic visibility policy"; the user settings `automatically_follow_topics_policy`
 * and `automatically_unmute_topics_in_muted_streams_policy`
 */
export function followOnSend(
  tx: Tx,
  sender: User,
  channel: Channel,
  topic: string,
  isFirst: boolean,
): NewPolicy | undefined {
  return followBySettings(
    tx,
    sender,
    channel,
    topic,
    (policy) =>
      policy === onParticipation || policy === onSending || (policy === onStarting && isFirst),
  )
}

/** The same for somebody who reacts to a message or votes in a poll: one way to take part. */
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

/** Follows a topic for somebody who was mentioned in it, if they wish so. */
export function followOnMention(tx: Tx, userId: number, channel: Channel, topic: string): void {
  if (!userSetting(tx, userId, 'automatically_follow_topics_where_mentioned')) return
  raise(tx, userId, channel, topic, followed)
}

function raise(
  tx: Tx,
  userId: number,
  channel: Channel,
  topic: string,
  policy: NewPolicy,
): NewPolicy | undefined {
  const before = visibilityPolicy(tx, userId, channel.id, topicKey(topic))
  if (rank[before] >= rank[policy]) return undefined
  setVisibilityPolicy(tx, userId, channel, topic, policy)
  return policy
}
