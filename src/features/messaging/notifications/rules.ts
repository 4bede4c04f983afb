import type { Channel } from '#features/foundation/channels/queries.ts'
import type { Message } from '#features/foundation/core/queries.ts'
import { findPresence } from '#features/foundation/presence/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { presenceTimes } from '#features/foundation/realm/times.ts'
import { listMuters } from '#features/foundation/users/muting.queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { seconds } from '#platform/clock.ts'
import { flagBits, visibilityPolicies } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import { isMediumAvailable } from './availability.rules.ts'
import {
  channelTrigger,
  type MessageRelevance,
  type NotificationMedium,
  type Trigger,
  triggerOf,
} from './decision.ts'
import { findSubscriberSettings, type SubscriberSettings } from './queries.ts'

/** A message to notify about, in its current state. */
export interface NotifiableMessage {
  readonly message: Message
  /** Undefined: a direct message. */
  readonly channel: Channel | undefined
  /** The mention flags of its recipients, by user id. */
  readonly bits: ReadonlyMap<number, number>
  /** Whether a recipient has read it. */
  hasRead(userId: number): boolean
}

/** The reasons to notify someone, by medium. */
export type Triggers = Readonly<Record<NotificationMedium, Trigger | undefined>>

const topics = {
  [visibilityPolicies.none]: 'none',
  [visibilityPolicies.muted]: 'muted',
  [visibilityPolicies.unmuted]: 'unmuted',
  [visibilityPolicies.followed]: 'followed',
} as const

const direct: MessageRelevance = {
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
export function relevanceOf(
  read: Read,
  { message, channel, bits }: NotifiableMessage,
  userIds: readonly number[],
): Map<number, MessageRelevance> {
  if (!channel) return new Map(userIds.map((id) => [id, direct]))
  const settingsOf = findSubscriberSettings(read, channel.id, message.topicKey, userIds)
  const relevance = new Map<number, MessageRelevance>()
  for (const [id, settings] of settingsOf) {
    relevance.set(id, relevanceFor(settings, bits.get(id) ?? 0, message.channelWildcard))
  }
  return relevance
}

function relevanceFor(
  settings: SubscriberSettings,
  bits: number,
  isChannelMentioned: boolean,
): MessageRelevance {
  const choice = (flag: number | null) => (flag === null ? null : flag !== 0)
  return {
    isDirect: false,
    isMentioned: (bits & flagBits.mentioned) !== 0,
    isTopicMentioned: (bits & flagBits.topic_wildcard_mentioned) !== 0,
    isChannelMentioned,
    topic: topics[settings.policy as keyof typeof topics],
    isChannelMuted: settings.isMuted !== 0,
    channel: {
      push: choice(settings.push),
      email: choice(settings.email),
      wildcard: choice(settings.wildcard),
    },
  }
}

/** The reasons to notify someone about a message, by the media of the server. */
export function triggersOf(read: Read, userId: number, relevance: MessageRelevance): Triggers {
  return byMedium(read, (medium) =>
    triggerOf(medium, relevance, (name) => userSetting(read, userId, name)),
  )
}

/** Whether someone is notified about all messages in a channel or topic, not only mentions. */
export function wantsAll(read: Read, userId: number, relevance: MessageRelevance): boolean {
  const { push, email } = byMedium(read, (medium) =>
    channelTrigger(medium, relevance, (name) => userSetting(read, userId, name)),
  )
  return push !== undefined || email !== undefined
}

function byMedium(
  read: Read,
  trigger: (medium: NotificationMedium) => Trigger | undefined,
): Triggers {
  return {
    push: isMediumAvailable(read, 'push') ? trigger('push') : undefined,
    email: isMediumAvailable(read, 'email') ? trigger('email') : undefined,
  }
}

/**
 * Whether a user's presence says that they are away. Users who hide their presence always are; in
 * an organization without presence nobody is.
 */
export function isAbsent(read: Read, userId: number): boolean {
  if (realmSetting(read, 'presence_disabled')) return false
  if (!userSetting(read, userId, 'presence_enabled')) return true
  const { activeAt } = findPresence(read, userId) ?? {}
  return activeAt === undefined || seconds(read.clock) - activeAt > presenceTimes.offlineSeconds
}

/**
 * Whether an account can be notified about a message: it is active, not the sender, and did not
 * mute the sender.
 */
export function isNotifiable(read: Read, userId: number, { message }: NotifiableMessage): boolean {
  const user = findUser(read, userId)
  if (!user?.isActive || user.botType !== null || user.isSystemBot) return false
  if (user.awaitsFirstLogin) return false
  return userId !== message.senderId && !listMuters(read, message.senderId).includes(userId)
}
