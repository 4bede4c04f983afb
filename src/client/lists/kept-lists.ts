import type { Narrow } from '#client/narrow/narrow.ts'
import type { Store } from '#client/state/store.ts'
import type { KeptList, MessageList } from './message-list.ts'

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
    const part = partOf(whole, list.readingId)
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

function partOf({ narrow, ids, hasOldest, hasNewest }: KeptList, readingId?: number): KeptList {
  const last = Math.max(0, ids.length - mostMessages)
  const at = readingId === undefined ? -1 : ids.indexOf(readingId)
  const from = at < 0 ? last : Math.max(0, Math.min(last, at - mostMessages / 2))
  const to = Math.min(ids.length, from + mostMessages)
  return {
    narrow,
    ids: ids.slice(from, to),
    hasOldest: hasOldest && from === 0,
    hasNewest: hasNewest && to === ids.length,
  }
}
