import type { EventNamed } from '#client/api/wire.ts'
import { isToggled } from '#shared/resolved-topics.ts'
import { messageFromWire, topicConversation } from './from-wire.ts'
import { conversationKey, type Message } from './model.ts'
import type { State } from './state.ts'
import { stopTyping } from './typing.ts'
import { mentionOf } from './unreads.ts'

export function newMessage(state: State, event: EventNamed<'message'>): void {
  const { id } = event.message
  const message = messageFromWire(event.message, state.selfId, event.flags)
  // One that was known before events were missed may be another that had this ID once.
  const known = state.stale.delete(id) ? undefined : state.messages.peek(id)
  if (!known) {
    state.messages.set(id, message)
    state.recent.add([message])
  }
  state.newestId = Math.max(state.newestId, id)
  if (!message.flags.has('read')) {
    state.unreads.add(message.conversation, [id], mentionOf(message.flags))
  }
  stopTyping(state, conversationKey(message.conversation), message.senderId)
  state.tell({ kind: 'new', message: known ?? message, localId: event.local_message_id })
}

export function updateMessage(state: State, event: EventNamed<'update_message'>): void {
  if (event.rendered_content !== undefined) changeContent(state, event, event.rendered_content)
  if (event.subject !== undefined || event.new_stream_id !== undefined) moveMessages(state, event)
}

function changeContent(state: State, event: EventNamed<'update_message'>, html: string): void {
  const { message_id: id, edit_timestamp, is_me_message } = event
  const isEdited = event.orig_content !== undefined && !event.rendering_only
  const before = isEdited ? state.messages.peek(id) : undefined
  state.messages.update(id, (message) => ({
    ...message,
    html,
    isMe: is_me_message ?? message.isMe,
    ...(isEdited && { editedAt: edit_timestamp, flags: new Set(event.flags) }),
  }))
  if (isEdited) {
    state.editTyping.delete(id)
    state.unreads.setMention([id], mentionOf(new Set(event.flags)))
  }
  if (state.messages.has(id)) state.tell({ kind: 'changed', ids: [id], ...(before && { before }) })
}

function moveMessages(state: State, event: EventNamed<'update_message'>): void {
  const { stream_id, orig_subject, message_ids: ids } = event
  if (stream_id === undefined || orig_subject === undefined) return
  const from = topicConversation(stream_id, orig_subject)
  const to = topicConversation(event.new_stream_id ?? stream_id, event.subject ?? orig_subject)
  const movedAt = isResolving(state, event) ? undefined : event.edit_timestamp
  const known = ids.flatMap((id) => state.messages.peek(id) ?? [])
  for (const message of known) {
    state.messages.set(message.id, {
      ...message,
      conversation: to,
      movedAt: movedAt ?? message.movedAt,
      topicLinks: event.topic_links ?? message.topicLinks,
    })
  }
  state.recent.move(known, to)
  const isWhole = event.propagate_mode === 'change_all'
  if (isWhole && conversationKey(from) !== conversationKey(to)) state.recent.forget(from)
  state.unreads.move(ids, to)
  state.tell({ kind: 'moved', ids, from, to, isWhole })
}

/** Resolving a topic, or the opposite, counts as no move. */
function isResolving(
  { realm }: State,
  { orig_subject, subject, new_stream_id }: EventNamed<'update_message'>,
): boolean {
  if (new_stream_id !== undefined || orig_subject === undefined || subject === undefined) {
    return false
  }
  return isToggled(orig_subject, subject, realm.peek().max_topic_length)
}

export function deleteMessages(state: State, event: EventNamed<'delete_message'>): void {
  forgetMessages(state, event.message_ids ?? [event.message_id ?? 0])
}

/** Removes messages that were deleted, or that the user may not read anymore. */
export function forgetMessages(state: State, ids: readonly number[]): void {
  state.recent.remove(ids.flatMap((id) => state.messages.peek(id) ?? []))
  for (const id of ids) {
    state.messages.delete(id)
    state.stale.delete(id)
    state.editTyping.delete(id)
  }
  state.unreads.remove(ids)
  setStarred(state, ids, false)
  if (ids.length > 0) state.tell({ kind: 'deleted', ids })
}

/** Adds messages to those that are starred, or removes them. */
export function setStarred(state: State, ids: readonly number[], areStarred: boolean): void {
  const before = state.starred.peek()
  const changed = ids.filter((id) => before.has(id) !== areStarred)
  if (changed.length === 0) return
  const after = new Set(before)
  for (const id of changed) {
    if (areStarred) after.add(id)
    else after.delete(id)
  }
  state.starred.value = after
}

/**
 * Adds fetched messages. A stored copy is newer than a fetched one, because events update it,
 * except where there are no events: in channels without a subscription, and while there was no
 * queue.
 */
export function addFetched(state: State, messages: readonly Message[]): void {
  const changed: number[] = []
  const added: Message[] = []
  for (const message of messages) {
    const known = state.messages.peek(message.id)
    if (known && !isOutdated(state, known)) continue
    if (known) {
      state.recent.remove([known])
      changed.push(message.id)
    }
    state.stale.delete(message.id)
    state.messages.set(message.id, message)
    added.push(message)
  }
  state.recent.add(added)
  const isIncomplete = state.unreads.isIncomplete.peek()
  for (const { id, flags, conversation } of added) {
    if (flags.has('read')) continue
    if (isIncomplete) state.unreads.add(conversation, [id], mentionOf(flags))
    else state.unreads.setMention([id], mentionOf(flags))
  }
  if (changed.length > 0) state.tell({ kind: 'changed', ids: changed })
}

/** How many messages are kept without being held, and from how many on others are removed. */
const keptMessages = 1000
export const mostMessages = 2000

/**
 * Forgets old messages out of view, if there are very many.
 *
 * @param held ids of those that are in use
 * @returns from how many messages on to look again
 */
export function trimMessages(state: State, held: Iterable<number>): number {
  const kept = new Set([...held, ...state.recent.newestIds()])
  const all = [...state.messages.current.values()].sort((a, b) => b.id - a.id)
  const dropped = all.slice(keptMessages).filter(({ id }) => !kept.has(id))
  state.recent.release(dropped)
  for (const { id } of dropped) {
    state.messages.delete(id)
    state.stale.delete(id)
  }
  return state.messages.current.size + (mostMessages - keptMessages)
}

function isOutdated(state: State, { id, conversation }: Message): boolean {
  if (state.stale.has(id)) return true
  return conversation.kind === 'topic' && !state.subscriptions.has(conversation.channelId)
}
