import { conversationKey, type Message } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'
import { isQuiet } from './quiet.ts'

/** The ways in which the user is notified about a new message. */
export interface Notice {
  readonly desktop: boolean
  readonly sound: boolean
}

/**
 * Whether a new message calls for a notice, by the settings of the user, the channel and the topic.
 *
 * @source Zulip help, "Desktop notifications"
 */
export function noticeOf(store: Store, message: Message): Notice {
  const none = { desktop: false, sound: false }
  const { flags, conversation } = message
  if (isQuiet(store)) return none
  if (message.senderId === store.selfId || flags.has('read')) return none
  if (store.mutedUsers.peek().has(message.senderId)) return none
  const settings = store.settings.peek()
  const personal = {
    desktop: settings.enable_desktop_notifications,
    sound: settings.enable_sounds,
  }
  if (conversation.kind === 'direct' || flags.has('mentioned') || flags.has('has_alert_word')) {
    return personal
  }
  const subscription = store.subscriptions.peek(conversation.channelId)
  const policy = store.topicPolicies.peek(conversationKey(conversation))?.policy ?? 0
  const isMuted = policy === 1 || (policy === 0 && subscription?.isMuted)
  const isFollowed = policy === 3
  const isWide =
    flags.has('stream_wildcard_mentioned') ||
    flags.has('topic_wildcard_mentioned') ||
    flags.has('wildcard_mentioned')
  if (isWide && !isMuted) {
    const wanted = isFollowed
      ? settings.enable_followed_topic_wildcard_mentions_notify
      : (subscription?.wildcardMentionsNotify ?? settings.wildcard_mentions_notify)
    if (wanted) return personal
  }
  if (isFollowed) {
    return {
      desktop: settings.enable_followed_topic_desktop_notifications,
      sound: settings.enable_followed_topic_audible_notifications,
    }
  }
  if (isMuted || !subscription) return none
  return {
    desktop: subscription.desktopNotifications ?? settings.enable_stream_desktop_notifications,
    sound: subscription.audibleNotifications ?? settings.enable_stream_audible_notifications,
  }
}
