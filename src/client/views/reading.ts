import { effect, signal } from '@preact/signals-core'
import type { App } from '#client/app.ts'
import { includesId } from '#client/lists/ids.ts'
import { readsOnSight, seenIds } from '#client/lists/near-reading.ts'
import { showsConversation } from '#client/narrow/matches.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import type { Conversation } from '#client/state/model.ts'
import { openDialogs } from '#client/ui/open-dialogs.ts'
import { isIdle, returns } from '#client/ui/user-input.ts'
import type { OpenPane } from './open-pane.ts'

/** Whether the window has the focus and is visible. */
const isFocused = signal(document.hasFocus() && document.visibilityState === 'visible')

const look = () => {
  isFocused.value = document.hasFocus() && document.visibilityState === 'visible'
}
for (const event of ['focus', 'blur']) addEventListener(event, look)
document.addEventListener('visibilitychange', look)

/** A row counts as passed once it ends above this part of the pane's height. */
const passedPart = 0.35

/** Marks visible messages as read, by the user's setting, until stopped. */
export function followReading(app: App, pane: OpenPane): () => void {
  const { list, scroll, isHeld } = pane
  return effect(() => {
    scroll.shownChanges.value
    const isAtEnd = scroll.isAtEnd.value
    // When the last visible row changes, others have passed.
    scroll.lastSeenId.value
    returns.value
    // What comes while nobody is there is read when they are back.
    if (!scroll.isOpen.value || isIdle()) return
    const selected = app.selectedId.value
    const reads = readsOnSight({
      narrow: list.narrow,
      policy: app.store.settings.value.web_mark_read_on_scroll_policy,
      isFocused: isFocused.value,
      isCovered: app.router.overlay.value !== undefined || openDialogs.value.length > 0,
      isHeld: isHeld.value,
      hidesOlderUnread: hidesOlderUnread(app, pane),
    })
    if (!reads) return
    const passed = Math.max(selected ?? 0, scroll.passedId(passedPart) ?? 0)
    const ids = list.ids.peek()
    for (const id of scroll.shown) {
      // By now it may be read elsewhere, or moved away.
      if (!isUnread(app, id) || !includesId(ids, id)) scroll.shown.delete(id)
    }
    const seen = seenIds({ shown: scroll.shown, isAtEnd, passedId: passed })
    // Marking changes what this effect reads, so it comes after it.
    if (seen.length > 0) queueMicrotask(() => app.marking.markRead(seen))
  })
}

const isUnread = ({ store }: App, id: number) =>
  store.messages.peek(id)?.flags.has('read') === false

/** After a link to a message, older unread ones may not have been fetched yet. */
function hidesOlderUnread(app: App, { list }: OpenPane): boolean {
  if (list.status.value.hasOldest) return false
  const first = list.ids.peek()[0] ?? 0
  return app.store.unreads.conversations.value.some(({ conversation, isMuted }) => {
    if (!holds(list.narrow, conversation, isMuted)) return false
    const oldest = app.store.unreads.idsOf(conversation)[0]
    return oldest !== undefined && oldest < first
  })
}

/** Whether a list of the narrow shows the messages of a conversation. */
export function holds(narrow: Narrow, conversation: Conversation, isMuted: boolean): boolean {
  return narrow.kind === 'all' ? !isMuted : showsConversation(narrow, conversation)
}
