import type { EventNamed } from '#client/api/wire.ts'
import { directConversation, topicConversation } from './from-wire.ts'
import { conversationKey } from './model.ts'
import type { State } from './state.ts'

type TypingEvent = EventNamed<'typing/start'>

export function typingStarted(state: State, event: TypingEvent): void {
  const { user_id } = event.sender
  if (user_id === state.selfId) return
  const key = keyOf(state, event)
  const typists = new Map(state.typing.peek(key))
  typists.set(user_id, endOf(state))
  state.typing.set(key, typists)
}

export function typingStopped(state: State, event: TypingEvent): void {
  stopTyping(state, keyOf(state, event), event.sender.user_id)
}

/** @param key of the conversation where someone stopped, or sent what they wrote */
export function stopTyping(state: State, key: string, userId: number): void {
  const typists = state.typing.peek(key)
  if (!typists?.has(userId)) return
  const left = new Map(typists)
  left.delete(userId)
  if (left.size > 0) state.typing.set(key, left)
  else state.typing.delete(key)
}

export function editTypingStarted(
  state: State,
  { sender_id, message_id }: EventNamed<'typing_edit_message/start'>,
): void {
  if (sender_id !== state.selfId) state.editTyping.set(message_id, endOf(state))
}

export function editTypingStopped(
  state: State,
  { message_id }: EventNamed<'typing_edit_message/stop'>,
): void {
  state.editTyping.delete(message_id)
}

/** When typing ends without another notice, in milliseconds since the epoch. */
function endOf({ realm, clock }: State): number {
  return clock.now() + realm.peek().server_typing_started_expiry_period_milliseconds
}

/**
 * Forgets those whose typing has ended without a notice.
 *
 * @returns when the next one is due, in milliseconds since the epoch; undefined if nobody types
 */
export function expireTyping(
  state: Pick<State, 'typing' | 'editTyping'>,
  now: number,
): number | undefined {
  let next: number | undefined
  for (const [key, typists] of [...state.typing.current]) {
    const left = new Map([...typists].filter(([, end]) => end > now))
    if (left.size === 0) state.typing.delete(key)
    else if (left.size < typists.size) state.typing.set(key, left)
    for (const end of left.values()) next = Math.min(next ?? end, end)
  }
  for (const [messageId, end] of [...state.editTyping.current]) {
    if (end <= now) state.editTyping.delete(messageId)
    else next = Math.min(next ?? end, end)
  }
  return next
}

function keyOf(state: State, event: TypingEvent): string {
  if ('stream_id' in event) return conversationKey(topicConversation(event.stream_id, event.topic))
  const userIds = event.recipients.map(({ user_id }) => user_id)
  return conversationKey(directConversation(userIds, state.selfId))
}
