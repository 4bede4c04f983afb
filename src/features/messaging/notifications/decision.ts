import type { UserSettings } from '#features/foundation/users/settings.ts'
import type { notificationTriggers } from '#platform/store/schema.ts'

/** Why someone is notified. */
export type Trigger = (typeof notificationTriggers)[number]

/** Whether a message is for someone in person: devices may be woken for it. */
export function isUrgent(trigger: Trigger): boolean {
  return trigger === 'direct_message' || trigger === 'mentioned'
}

/** How someone who may not be looking is notified. */
export type NotificationMedium = 'push' | 'email'

/** The relation of a message to a user, without the settings of their account. */
export interface MessageRelevance {
  /** A direct message; the other members do not matter then. */
  readonly isDirect: boolean
  /** By name, or as a member of a group. */
  readonly isMentioned: boolean
  /** Its topic wildcard mentions them, because they took part in the topic. */
  readonly isTopicMentioned: boolean
  /** It mentions everyone in the channel. */
  readonly isChannelMentioned: boolean
  readonly topic: 'none' | 'muted' | 'unmuted' | 'followed'
  readonly isChannelMuted: boolean
  /** The subscription's own settings; null: the account's apply. */
  readonly channel: {
    readonly push: boolean | null
    readonly email: boolean | null
    readonly wildcard: boolean | null
  }
}

/** The settings of an account by medium. */
const settingsOf = {
  push: {
    offline: 'enable_offline_push_notifications',
    followed: 'enable_followed_topic_push_notifications',
    channel: 'enable_stream_push_notifications',
  },
  email: {
    offline: 'enable_offline_email_notifications',
    followed: 'enable_followed_topic_email_notifications',
    channel: 'enable_stream_email_notifications',
  },
} as const

/**
 * The reason to notify a user about a message by one medium; undefined: there is none. The first
 * reason whose setting is on counts.
 *
 * @param setting reads a setting of the account
 * @source Zulip help center, "Mobile notifications" and "Email notifications"
 */
export function triggerOf(
  medium: NotificationMedium,
  relevance: MessageRelevance,
  setting: (name: BooleanSetting) => boolean,
): Trigger | undefined {
  const names = settingsOf[medium]
  const isFollowed = relevance.topic === 'followed'
  if (setting(names.offline)) {
    if (relevance.isDirect) return 'direct_message'
    if (relevance.isMentioned) return 'mentioned'
    if (isFollowed && setting('enable_followed_topic_wildcard_mentions_notify')) {
      if (relevance.isTopicMentioned) return 'topic_wildcard_mentioned_in_followed_topic'
      if (relevance.isChannelMentioned) return 'stream_wildcard_mentioned_in_followed_topic'
    }
    const isMentioned = relevance.isTopicMentioned || relevance.isChannelMentioned
    const wanted = relevance.channel.wildcard ?? setting('wildcard_mentions_notify')
    if (isMentioned && wanted && !isQuiet(relevance)) {
      return relevance.isTopicMentioned ? 'topic_wildcard_mentioned' : 'stream_wildcard_mentioned'
    }
  }
  return channelTrigger(medium, relevance, setting)
}

/** The same, for users who want all messages of the channel or the topic. */
export function channelTrigger(
  medium: NotificationMedium,
  relevance: MessageRelevance,
  setting: (name: BooleanSetting) => boolean,
): Trigger | undefined {
  if (relevance.isDirect) return undefined
  const { followed, channel } = settingsOf[medium]
  if (relevance.topic === 'followed' && setting(followed)) return 'followed_topic'
  return !isQuiet(relevance) && (relevance.channel[medium] ?? setting(channel))
    ? 'stream'
    : undefined
}

/** Whether the topic or its channel is muted. Following a topic does not undo that here. */
function isQuiet({ topic, isChannelMuted }: MessageRelevance): boolean {
  return topic === 'muted' || (isChannelMuted && topic !== 'unmuted')
}

type BooleanSetting = {
  [N in keyof UserSettings]: UserSettings[N] extends boolean ? N : never
}[keyof UserSettings]
