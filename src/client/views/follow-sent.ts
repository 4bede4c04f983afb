import { effect } from '@preact/signals-core'
import type { App } from '#client/app.ts'
import { includesId } from '#client/lists/ids.ts'
import { isShown } from '#client/lists/muted-rows.ts'
import { containsMessage, showsConversation } from '#client/narrow/matches.ts'
import type { Message } from '#client/state/model.ts'
import type { OpenPane } from './open-pane.ts'

/**
 * Scrolls to messages that the user sends, wherever they were reading, until stopped.
 *
 * @param opening settles once the pane has opened, which moves it as well
 */
export function followSent(app: App, pane: OpenPane, opening: Promise<void>): () => void {
  const { list, scroll } = pane
  const { narrow } = list
  const isOpen = () => app.pane.peek() === pane

  async function show(message: Message): Promise<void> {
    await opening
    const { id } = message
    if (!isOpen() || !isShown(narrow, message, app.store)) return
    if (!includesId(list.ids.peek(), id)) await list.open({ at: 'newest' })
    const ids = list.ids.peek()
    if (!isOpen() || !includesId(ids, id)) return
    if (ids.at(-1) !== id) pane.select(id)
    else if (!scroll.isAtEnd.peek()) pane.jump('newest')
  }

  const stopListening = app.store.onMessages((change) => {
    if (change.kind !== 'new' || change.localId === undefined) return
    const { message } = change
    // In a search, the message appears when the server says that it matches.
    if (containsMessage(narrow, message, app.store) !== true) return
    // The lists add it after this.
    queueMicrotask(() => void show(message))
  })

  const known = new Set(app.outbox.messages.peek().map(({ localId }) => localId))
  const stopWaiting = effect(() => {
    for (const { localId, conversation, state } of app.outbox.messages.value) {
      if (state === 'hidden' || known.has(localId)) continue
      known.add(localId)
      if (showsConversation(narrow, conversation))
        queueMicrotask(() => isOpen() && pane.jump('newest'))
    }
  })
  return () => {
    stopListening()
    stopWaiting()
  }
}
