import type { UnreadConversation } from '#features/foundation/read-state/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { countUnread } from '#features/messaging/messages/flags/counting.queries.ts'
import { visibilityPolicy } from '#features/messaging/user-topics/queries.ts'
import { visibilityPolicies } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'

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
  const { conversations, counts, mentions } = countUnread(read, userId, mostCounted)
  const isWhole = (conversation: UnreadConversation) =>
    shown === display.all
      ? counts(conversation)
      : conversation.channelId === null ||
        (shown === display.followed && isFollowed(read, userId, conversation))
  const partly = conversations.filter((each) => !isWhole(each))
  const whole = conversations.filter(isWhole)
  const count = whole.reduce((sum, { messageIds }) => sum + messageIds.length, 0)
  return shown === display.all ? count : count + mentions(partly).length
}

function isFollowed(
  read: Read,
  userId: number,
  { channelId, topicKey }: UnreadConversation,
): boolean {
  if (channelId === null) return false
  return visibilityPolicy(read, userId, channelId, topicKey) === visibilityPolicies.followed
}
