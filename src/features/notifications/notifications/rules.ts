import type { Channel } from '#features/channels/channels/queries.ts'
import { visibilityPolicies } from '#features/messaging/user-topics/queries.ts'
import { realmSetting } from '#features/organization/realm/settings.queries.ts'
import { presenceTimes } from '#features/organization/realm/times.ts'
import { findPresence } from '#features/people/presence/queries.ts'
import { listMuters } from '#features/people/users/muting.queries.ts'
import { findUser } from '#features/people/users/queries.ts'
import { userSetting } from '#features/people/users/settings.queries.ts'
import { seconds } from '#platform/clock.ts'
import { flagBits, type messages } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/write.ts'
import { type Concern, channelTrigger, type Trigger, triggerOf, type Way } from './decision.ts'
import { findStandings, type Standing } from './queries.ts'
import { isOpen } from './ways.rules.ts'

/** A message to notify of, as it is now. */
export interface News {
  readonly message: typeof messages.$inferSelect
  /** Undefined: a direct message. */
  readonly channel: Channel | undefined
  /** The mention flags of its recipients, by user id. */
  readonly bits: ReadonlyMap<number, number>
  /** Whether a recipient has read it. */
  hasRead(userId: number): boolean
}

/** Why to notify somebody, by way. */
export type Triggers = Readonly<Record<Way, Trigger | undefined>>

const topics = {
  [visibilityPolicies.none]: 'none',
  [visibilityPolicies.muted]: 'muted',
  [visibilityPolicies.unmuted]: 'unmuted',
  [visibilityPolicies.followed]: 'followed',
} as const

const direct: Concern = {
  isDirect: true,
  isMentioned: false,
  isTopicMentioned: false,
  isChannelMentioned: false,
  topic: 'none',
  isChannelMuted: false,
  channel: { push: null, email: null, wildcard: null },
}

/**
 * How a message concerns users, by id: the participants of a direct message, or the subscribers
 * among them.
 */
export function concernsOf(
  read: Read,
  { message, channel, bits }: News,
  userIds: readonly number[],
): Map<number, Concern> {
  if (!channel) return new Map(userIds.map((id) => [id, direct]))
  const standings = findStandings(read, channel.id, message.topicKey, userIds)
  const concerns = new Map<number, Concern>()
  for (const [id, standing] of standings) {
    concerns.set(id, concernOf(standing, bits.get(id) ?? 0, message.channelWildcard))
  }
  return concerns
}

function concernOf(standing: Standing, bits: number, isChannelMentioned: boolean): Concern {
  const choice = (flag: number | null) => (flag === null ? null : flag !== 0)
  return {
    isDirect: false,
    isMentioned: (bits & flagBits.mentioned) !== 0,
    isTopicMentioned: (bits & flagBits.topic_wildcard_mentioned) !== 0,
    isChannelMentioned,
    topic: topics[standing.policy as keyof typeof topics],
    isChannelMuted: standing.isMuted !== 0,
    channel: {
      push: choice(standing.push),
      email: choice(standing.email),
      wildcard: choice(standing.wildcard),
    },
  }
}

/** Why to notify somebody of a message, in the ways that the server has. */
export function triggersOf(read: Read, userId: number, concern: Concern): Triggers {
  return byWay(read, (way) => triggerOf(way, concern, (name) => userSetting(read, userId, name)))
}

/** Whether somebody is notified of a message in a channel, whomever it mentions. */
export function wantsAll(read: Read, userId: number, concern: Concern): boolean {
  const { push, email } = byWay(read, (way) =>
    channelTrigger(way, concern, (name) => userSetting(read, userId, name)),
  )
  return push !== undefined || email !== undefined
}

function byWay(read: Read, trigger: (way: Way) => Trigger | undefined): Triggers {
  return {
    push: isOpen(read, 'push') ? trigger('push') : undefined,
    email: isOpen(read, 'email') ? trigger('email') : undefined,
  }
}

/**
 * Whether a user's presence says that they are away. Who hides their presence always is; in an
 * organization without presence nobody is.
 */
export function isAbsent(read: Read, userId: number): boolean {
  if (realmSetting(read, 'presence_disabled')) return false
  if (!userSetting(read, userId, 'presence_enabled')) return true
  const { activeAt } = findPresence(read, userId) ?? {}
  return activeAt === undefined || seconds(read.clock) - activeAt > presenceTimes.offlineSeconds
}

/** Whether an account can be notified of a message: other people's, active, who did not mute them. */
export function isNotifiable(read: Read, userId: number, { message }: News): boolean {
  const user = findUser(read, userId)
  if (!user?.isActive || user.botType !== null || user.isSystemBot) return false
  if (user.awaitsFirstLogin) return false
  return userId !== message.senderId && !listMuters(read, message.senderId).includes(userId)
}
