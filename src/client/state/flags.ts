import type { EventNamed } from '#client/api/wire.ts'
import { directConversation, topicConversation } from './from-wire.ts'
import { setStarred } from './messages.ts'
import type { Message, MessageFlag } from './model.ts'
import type { State } from './state.ts'
import { mentionOf } from './unreads.ts'

export function addFlag(state: State, event: EventNamed<'update_message_flags/add'>): void {
  const { flag, all } = event
  const ids = all ? [...state.messages.current.keys()] : event.messages
  if (flag === 'read' && all) state.unreads.clear()
  else if (flag === 'read') state.unreads.remove(ids)
  if (flag === 'starred') setStarred(state, ids, true)
  changeFlags(state, ids, flag, true)
}

export function removeFlag(state: State, event: EventNamed<'update_message_flags/remove'>): void {
  const { flag, messages, message_details } = event
  if (flag === 'starred') setStarred(state, messages, false)
  changeFlags(state, messages, flag, false)
  for (const [id, details] of Object.entries(message_details ?? {})) {
    const conversation =
      'stream_id' in details
        ? topicConversation(details.stream_id, details.topic)
        : directConversation(details.user_ids, state.selfId)
    const flags = state.messages.peek(Number(id))?.flags
    // The event leaves out wildcards where something is muted; the message has them.
    const mention = flags ? mentionOf(flags) : details.mentioned && 'personal'
    state.unreads.add(conversation, [Number(id)], mention)
  }
}

function changeFlags(
  state: State,
  ids: readonly number[],
  flag: MessageFlag,
  isSet: boolean,
): void {
  const changed = ids.filter((id) => {
    const message = state.messages.peek(id)
    return message !== undefined && message.flags.has(flag) !== isSet
  })
  for (const id of changed) state.messages.update(id, (message) => withFlag(message, flag, isSet))
  if (changed.length > 0) state.tell({ kind: 'changed', ids: changed })
}

export function withFlag(message: Message, flag: MessageFlag, isSet: boolean): Message {
  const flags = new Set(message.flags)
  if (isSet) flags.add(flag)
  else flags.delete(flag)
  return { ...message, flags }
}
