import { isTopicMuted } from '#client/narrow/matches.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { conversationKey, type Message } from '#client/state/model.ts'
import type { Store } from '#client/state/store.ts'

/** Whether a list shows a message of its narrow: not those that the user muted, in wide views. */
export function isShown(narrow: Narrow, message: Message, store: Store): boolean {
  if (hidesMutedPeople(narrow) && store.mutedUsers.peek().has(message.senderId)) return false
  if (!hidesMutedTopics(narrow)) return true
  if (narrow.kind === 'all') return !isTopicMuted(message, store)
  // In an open muted channel, only topics that are muted themselves are hidden.
  return store.topicPolicies.peek(conversationKey(message.conversation))?.policy !== 1
}

/** Subscribes to everything that may change the result of `isShown`. */
export function followMuting(narrow: Narrow, store: Store): void {
  if (hidesMutedPeople(narrow)) store.mutedUsers.value
  if (!hidesMutedTopics(narrow)) return
  store.topicPolicies.version.value
  if (narrow.kind === 'all') store.subscriptions.version.value
}

/** Direct messages, and messages of a chosen sender, are always shown. */
function hidesMutedPeople(narrow: Narrow): boolean {
  if (narrow.kind === 'search') return !narrow.terms.some(({ operator }) => operator === 'sender')
  return narrow.kind !== 'direct'
}

function hidesMutedTopics(narrow: Narrow): boolean {
  return narrow.kind === 'all' || narrow.kind === 'channel'
}
