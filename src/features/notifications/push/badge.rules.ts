import { isChannelMuted } from '#features/channels/channels/subscriptions.queries.ts'
import { listMentions } from '#features/messaging/messages/flags/queries.ts'
import { type UnreadConversation, unread } from '#features/messaging/read-state/queries.ts'
import { visibilityPolicies } from '#features/messaging/user-topics/policies.ts'
import { visibilityPolicy } from '#features/messaging/user-topics/queries.ts'
import { userSetting } from '#features/people/users/settings.queries.ts'
import type { Read } from '#platform/store/write.ts'

/**
 * The largest number on the icon; clients show no larger one. Only the newest unread messages are
 * counted.
 */
const mostCounted = 1000

/** The values of `desktop_icon_count_display`. @source Zulip API, "Update settings" */
const display = { all: 1, followed: 2, personal: 3, none: 4 } as const

/** The number of unread messages for the icon of an app, by the user's setting. */
export function badgeCount(read: Read, userId: number): number {
  const shown = userSetting(read, userId, 'desktop_icon_count_display')
  if (shown === display.none) return 0
  const { conversations } = unread(read, userId, mostCounted)
  const partly = conversations.filter((each) => !isWhole(read, userId, each, shown))
  const ids = partly.flatMap(({ messageIds }) => messageIds)
  const mentions = shown === display.all ? [] : listMentions(read, userId, ids)
  const all = conversations.reduce((sum, { messageIds }) => sum + messageIds.length, 0)
  return all - ids.length + mentions.length
}

/** Whether all unread messages of a conversation count; otherwise, those that mention the user. */
function isWhole(
  read: Read,
  userId: number,
  { channelId, topicKey }: UnreadConversation,
  shown: number,
): boolean {
  if (channelId === null) return true
  const policy = visibilityPolicy(read, userId, channelId, topicKey)
  const { followed, unmuted, muted } = visibilityPolicies
  if (shown !== display.all) return shown === display.followed && policy === followed
  if (policy === followed || policy === unmuted) return true
  return policy !== muted && !isChannelMuted(read, userId, channelId)
}
