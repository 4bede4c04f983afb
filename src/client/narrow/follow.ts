import type { Conversation } from '#client/state/model.ts'
import { sameConversation } from '#client/state/model.ts'
import type { MessageChange } from '#client/state/store.ts'
import type { Narrow } from './narrow.ts'
import { conversationOfNarrow } from './terms.ts'

/**
 * The current topic of a narrow, from the message in its link.
 *
 * @param found the conversation of that message
 * @returns undefined: the narrow is right
 */
export function followMessage(narrow: Narrow, found: Conversation | undefined): Narrow | undefined {
  if (!found || narrow.kind !== 'topic') return undefined
  return sameConversation(narrow, found) ? undefined : narrowTo(found, narrow.withId)
}

/**
 * The new place of an open narrow after a move: that of its complete topic, or of the message in
 * its link.
 *
 * @returns undefined: it should stay
 */
export function followMove(narrow: Narrow, change: MessageChange): Narrow | undefined {
  if (change.kind !== 'moved' || narrow.kind !== 'topic') return undefined
  const { withId } = narrow
  const here = conversationOfNarrow(narrow)
  if (!here || !sameConversation(here, change.from)) return undefined
  const named = withId !== undefined && change.ids.includes(withId)
  if (!named && !change.isWhole) return undefined
  // A different spelling of the same topic is also a new name.
  if (change.to.kind === 'topic' && narrow.channelId === change.to.channelId) {
    if (narrow.topic === change.to.topic) return undefined
  }
  return narrowTo(change.to, withId)
}

function narrowTo(conversation: Conversation, withId: number | undefined): Narrow {
  return conversation.kind === 'topic' && withId !== undefined
    ? { ...conversation, withId }
    : conversation
}
