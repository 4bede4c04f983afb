import { isChannelMuted } from '#features/channels/channels/subscriptions.queries.ts'
import { listMentions } from '#features/messaging/messages/flags/queries.ts'
import { type UnreadConversation, unread } from '#features/messaging/read-state/queries.ts'
import { visibilityPolicies, visibilityPolicy } from '#features/messaging/user-topics/queries.ts'
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
  const inChannels = conversations.filter(({ channelId }) => channelId !== null)
  const ids = inChannels.flatMap(({ messageIds }) => messageIds)
  const mentions = new Set(shown === display.all ? [] : listMentions(read, userId, ids))
  let count = 0
  for (const conversation of conversations) {
    const { messageIds, channelId } = conversation
    const isWhole =
      channelId === null || isCounted(read, userId, channelId, conversation, shown === display.all)
    if (isWhole) count += messageIds.length
    else if (shown !== display.all) count += messageIds.filter((id) => mentions.has(id)).length
  }
  return count

  /** Whether all unread messages of a topic count. */
  function isCounted(
    read: Read,
    userId: number,
    channelId: number,
    { topicKey }: UnreadConversation,
    isAll: boolean,
  ): boolean {
    const policy = visibilityPolicy(read, userId, channelId, topicKey)
    const { followed, unmuted, muted } = visibilityPolicies
    if (!isAll) return shown === display.followed && policy === followed
    if (policy === followed || policy === unmuted) return true
    return policy !== muted && !isChannelMuted(read, userId, channelId)
  }
}
