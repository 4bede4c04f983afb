import type { Narrow } from '#client/narrow/narrow.ts'
import type { Store } from '#client/state/store.ts'
import type { KeptList, MessageList } from './message-list.ts'
import { partOf } from './stretch.ts'

/** How much is stored: lists, messages of each, and characters of text in all of them. */
const mostLists = 15
const mostMessages = 60
const mostText = 1_000_000

/**
 * The parts of the most recently used lists with which the next page begins: the messages being
 * read, or else the newest ones. The least recently used first, in the given order.
 */
export function keptLists(lists: Iterable<MessageList>, store: Store): readonly KeptList[] {
  const kept: KeptList[] = []
  let text = 0
  for (const list of [...lists].reverse()) {
    const whole = followsEvents(list.narrow, store) ? list.kept() : undefined
    if (!whole) continue
    const part = partOf(whole, mostMessages, list.readingId)
    text += part.ids.reduce((sum, id) => sum + (store.messages.peek(id)?.html.length ?? 0), 0)
    if (kept.length === mostLists || text > mostText) break
    kept.push(part)
  }
  return kept.reverse()
}

/** Whether events alone keep a list up to date, for as long as nobody looks at it. */
function followsEvents(narrow: Narrow, { subscriptions }: Store): boolean {
  if (narrow.kind === 'topic' || narrow.kind === 'channel') {
    return subscriptions.peek(narrow.channelId) !== undefined
  }
  return narrow.kind !== 'search' && narrow.kind !== 'reactions'
}
