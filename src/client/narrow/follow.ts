import type { Conversation } from '#client/state/model.ts'
import { sameConversation } from '#client/state/model.ts'
import type { MessageChange } from '#client/state/store.ts'
import type { Narrow } from './narrow.ts'
import { conversationOfNarrow } from './terms.ts'

/**
 * Where the topic of a narrow is now, by the message that its link names.
 *
 * @param found where that message is
 * @returns undefined where the narrow is right as it is
 */
export function followMessage(narrow: Narrow, found: Conversation | undefined): Narrow | undefined {
  if (!found || narrow.kind !== 'topic') return undefined
  return sameConversation(narrow, found) ? undefined : narrowTo(found, narrow.withId)
}

/**
 * Where an open narrow should go after a move: along with all of its topic, or with the message
 * that its link names.
 *
 * @returns undefined where it should stay
 */
export function followMove(narrow: Narrow, change: MessageChange): Narrow | undefined {
  if (change.kind !== 'moved' || narrow.kind !== 'topic') return undefined
  const { withId } = narrow
  const here = conversationOfNarrow(narrow)
  if (!here || !sameConversation(here, change.from)) return undefined
  const named = withId !== undefined && change.ids.includes(withId)
  if (!named && !change.isWhole) return undefined
  // Another spelling of the same topic is another name as well.
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
