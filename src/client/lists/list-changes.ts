import { batch } from '@preact/signals-core'
import { followMove } from '#client/narrow/follow.ts'
import { containsMessage } from '#client/narrow/matches.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import type { Message } from '#client/state/model.ts'
import type { MessageChange, Store } from '#client/state/store.ts'

type Move = MessageChange & { readonly kind: 'moved' }

/** The reactions of a list to changes of messages. */
export interface ListChanges {
  /** Whether it has the message, shown or muted. */
  has(id: number): boolean
  /** Inserts messages of the narrow in their places, if that part is fetched. */
  insert(ids: readonly number[]): void
  remove(ids: readonly number[]): void
  /** Asks the server whether messages are in the narrow, and inserts those that are. */
  askWhether(ids: readonly number[]): void
  /** Fetches those of some unknown messages that are in the narrow. */
  fetch(ids: readonly number[]): void
  /** The text, flags or reactions of messages changed. */
  edited(ids: readonly number[]): void
  /** The complete narrow has moved. */
  moved(to: Narrow): void
  /** Events were missed, so everything may have changed. */
  restart(): void
}

/** Applies a change of the store's messages to a list. */
export function applyChange(
  change: MessageChange,
  narrow: Narrow,
  store: Store,
  list: ListChanges,
): void {
  const containing = (message: Message) => containsMessage(narrow, message, store)
  const known = (ids: readonly number[]) => ids.flatMap((id) => store.messages.peek(id) ?? [])

  function takeIn(messages: readonly Message[]): void {
    const sure: number[] = []
    const unclear: number[] = []
    for (const message of messages) {
      const isIn = containing(message)
      if (isIn) sure.push(message.id)
      if (isIn === null) unclear.push(message.id)
    }
    list.insert(sure)
    if (unclear.length > 0) list.askWhether(unclear)
  }

  function applyMove(move: Move): void {
    const target = followMove(narrow, move)
    const here = known(move.ids)
    const out = here.filter((message) => containing(message) === false)
    batch(() => {
      if (target) list.moved(target)
      list.remove(out.map(({ id }) => id))
      takeIn(here.filter(({ id }) => !list.has(id)))
    })
    const knownIds = new Set(here.map(({ id }) => id))
    const strangers = move.ids.filter((id) => !knownIds.has(id))
    if (strangers.length > 0 && mayMoveInto(narrow, move)) list.fetch(strangers)
  }

  /** Stars, mentions and reactions add messages to a narrow, and the first two remove them. */
  function applyEdits(ids: readonly number[]): void {
    list.edited(ids)
    if (!['starred', 'mentions', 'reactions'].includes(narrow.kind)) return
    const messages = known(ids)
    batch(() => {
      takeIn(messages.filter(({ id }) => !list.has(id)))
      // A message stays where the user has just removed a reaction, to let them change their mind.
      if (narrow.kind === 'reactions') return
      const out = messages.filter((message) => containing(message) === false)
      list.remove(out.map(({ id }) => id))
    })
  }

  if (change.kind === 'new') takeIn([change.message])
  else if (change.kind === 'deleted') list.remove(change.ids)
  else if (change.kind === 'moved') applyMove(change)
  else if (change.kind === 'changed') applyEdits(change.ids)
  else list.restart()
}

/** Whether messages that are not known here may be in the narrow after a move. */
function mayMoveInto(narrow: Narrow, { to }: Move): boolean {
  if (to.kind !== 'topic') return false
  if (narrow.kind === 'channel') return narrow.channelId === to.channelId
  if (narrow.kind !== 'topic') return narrow.kind === 'all' || narrow.kind === 'search'
  return narrow.channelId === to.channelId && narrow.topic.toLowerCase() === to.topic.toLowerCase()
}
