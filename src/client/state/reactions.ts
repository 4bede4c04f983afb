import type { EventNamed } from '#client/api/wire.ts'
import { reactionFromWire } from './from-wire.ts'
import type { Message, Reaction } from './model.ts'
import type { State } from './state.ts'

type ReactionEvent = EventNamed<'reaction/add'>

export function addReaction(state: State, event: ReactionEvent): void {
  const added = reactionFromWire(event)
  change(state, event.message_id, (message) => {
    const isThere = message.reactions.some((one) => isSame(one, added))
    return isThere ? message : { ...message, reactions: [...message.reactions, added] }
  })
}

export function removeReaction(state: State, event: ReactionEvent): void {
  const gone = reactionFromWire(event)
  change(state, event.message_id, (message) => ({
    ...message,
    reactions: message.reactions.filter((one) => !isSame(one, gone)),
  }))
}

/** Whether two are the same vote of the same person. The name of an emoji can vary. */
export function isSame(a: Reaction, b: Reaction): boolean {
  return a.code === b.code && a.type === b.type && a.userId === b.userId
}

/** A vote in a poll, an item of a to-do list. */
export function addSubmessage(state: State, event: EventNamed<'submessage'>): void {
  const { submessage_id: id, sender_id: senderId, content } = event
  change(state, event.message_id, (message) => {
    const isThere = message.submessages.some((one) => one.id === id)
    if (isThere) return message
    return { ...message, submessages: [...message.submessages, { id, senderId, content }] }
  })
}

function change(state: State, id: number, make: (message: Message) => Message): void {
  const message = state.messages.peek(id)
  if (!message) return
  const changed = make(message)
  if (changed === message) return
  state.messages.set(id, changed)
  state.tell({ kind: 'changed', ids: [id] })
}
