import type { Narrow } from '#client/narrow/narrow.ts'
import { narrowKey } from '#client/narrow/terms.ts'
import { sameConversation } from '#client/state/model.ts'
import { createMessageList, type ListParts } from './create-message-list.ts'
import type { MessageList } from './message-list.ts'

/** How many lists are kept up to date. */
const most = 50

export interface ListCache {
  /** The list of a narrow: the one that is there, or a new one in place of the least used. */
  open(narrow: Narrow): MessageList
  /** The list of a narrow if it is there; that does not count as use. */
  peek(narrow: Narrow): MessageList | undefined
  close(): void
}

/** The most recently used lists. What changes keeps them all up to date. */
export function createListCache(parts: ListParts, size = most): ListCache {
  // A map keeps the order of insertion: the first is the least recently used.
  const lists = new Map<string, MessageList>()

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
