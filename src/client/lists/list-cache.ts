import type { Narrow } from '#client/narrow/narrow.ts'
import { narrowKey } from '#client/narrow/terms.ts'
import { sameConversation } from '#client/state/model.ts'
import { createMessageList, type ListParts } from './create-message-list.ts'
import type { KeptList, MessageList } from './message-list.ts'

/** How many lists are kept up to date. */
const most = 50

export interface ListCache {
  /** The list of a narrow: the existing one, or a new one in place of the least recently used. */
  open(narrow: Narrow): MessageList
  /** The existing list of a narrow; this does not count as use. */
  peek(narrow: Narrow): MessageList | undefined
  /** All lists, the least recently used first. */
  all(): Iterable<MessageList>
  close(): void
}

/**
 * The most recently used lists. What changes keeps them all up to date.
 *
 * @param kept the initial lists, the least recently used first
 */
export function createListCache(
  parts: ListParts,
  kept: readonly KeptList[] = [],
  size = most,
): ListCache {
  // A map keeps the order of insertion: the first is the least recently used.
  const lists = new Map(
    kept.map((one) => [narrowKey(one.narrow), createMessageList(one.narrow, parts, one)]),
  )

  return {
    open(narrow) {
      const key = narrowKey(narrow)
      let list = lists.get(key)
      if (list && mayHaveMoved(narrow)) {
        list.close()
        list = undefined
      }
      list ??= createMessageList(narrow, parts)
      lists.delete(key)
      lists.set(key, list)
      for (const [oldest, old] of lists) {
        if (lists.size <= size) break
        lists.delete(oldest)
        old.close()
      }
      return list
    },
    peek: (narrow) => lists.get(narrowKey(narrow)),
    all: () => lists.values(),
    close() {
      for (const list of lists.values()) list.close()
      lists.clear()
    },
  }

  /** Whether the link names a message that is not known to be in its topic: the server knows. */
  function mayHaveMoved(narrow: Narrow): boolean {
    if (narrow.kind !== 'topic' || narrow.withId === undefined) return false
    const message = parts.store.messages.peek(narrow.withId)
    return message === undefined || !sameConversation(message.conversation, narrow)
  }
}
