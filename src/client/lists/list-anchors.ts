import type { Narrow } from '#client/narrow/narrow.ts'
import { conversationOfNarrow } from '#client/narrow/terms.ts'
import type { Store } from '#client/state/store.ts'
import { includesId, positionOf } from './ids.ts'
import type { Anchor, MessageList } from './message-list.ts'

/** The position at which a list is opened. */
interface Anchors {
  /** The message at which to open the list; undefined if that needs a fetch. */
  known(anchor: Anchor): { readonly id: number | undefined } | undefined
  /** The shown message at or after an id, or else the last one. */
  nearest(id: number | undefined): number | undefined
  /** @param asked the first unread message according to the server */
  firstUnread(asked: number | undefined): number | undefined
}

/** @param list the shown messages of the narrow, and their extent */
export function createAnchors(
  narrow: Narrow,
  store: Store,
  { ids, status }: Pick<MessageList, 'ids' | 'status'>,
): Anchors {
  function isUnread(id: number): boolean {
    return store.messages.peek(id)?.flags.has('read') === false
  }

  return {
    known(anchor) {
      const { hasNewest, hasOldest } = status.value
      if (anchor.at === 'message') {
        return includesId(ids.value, anchor.id) ? { id: anchor.id } : undefined
      }
      if (anchor.at === 'first-unread') {
        const place = conversationOfNarrow(narrow)
        const complete = place !== undefined && !store.unreads.isIncomplete.value
        const unread = complete ? store.unreads.idsOf(place)[0] : ids.value.find(isUnread)
        if (unread !== undefined) {
          const isFirst = complete || hasOldest || unread !== ids.value[0]
          return isFirst && includesId(ids.value, unread) ? { id: unread } : undefined
        }
      }
      return hasNewest ? { id: ids.value.at(-1) } : undefined
    },
    nearest(id) {
      if (id === undefined) return ids.value.at(-1)
      return ids.value[positionOf(ids.value, id)] ?? ids.value.at(-1)
    },
    firstUnread(asked) {
      if (asked !== undefined && isUnread(asked)) return asked
      const found = ids.value.find(isUnread)
      // If older ones are unknown, the first known one need not be the first.
      return found === ids.value[0] && !status.value.hasOldest ? undefined : found
    },
  }
}
