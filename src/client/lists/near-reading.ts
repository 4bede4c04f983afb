import type { Narrow } from '#client/narrow/narrow.ts'

/** What decides whether looking at messages reads them. */
export interface Reading {
  readonly narrow: Narrow
  /** The user's `web_mark_read_on_scroll_policy`: 1 always, 2 in conversations, 3 never. */
  readonly policy: number
  /** Whether the window has the focus and is visible. */
  readonly isFocused: boolean
  /** Whether a dialog or an overlay lies over the messages. */
  readonly isCovered: boolean
  /** Whether the user marked messages of this list as unread, which stops reading in it. */
  readonly isHeld: boolean
  /**
   * Whether older unread messages are not fetched, as after a link to a message: reading them
   * unseen would lose them.
   */
  readonly hidesOlderUnread: boolean
}

/** Whether messages are marked as read now by being seen. Ask again when any of it changes. */
export function readsOnSight(reading: Reading): boolean {
  const { narrow, policy, isFocused, isCovered, isHeld, hidesOlderUnread } = reading
  if (!isFocused || isCovered || isHeld || hidesOlderUnread) return false
  if (!holdsWholeConversations(narrow)) return false
  return policy === 1 || (policy === 2 && isConversation(narrow))
}

export type PlaceNarrow = Extract<Narrow, { readonly kind: 'topic' | 'direct' | 'channel' }>

/** Whether a view is of one conversation or channel, which can be marked as read as a whole. */
export function isPlace(narrow: Narrow): narrow is PlaceNarrow {
  return isConversation(narrow) || narrow.kind === 'channel'
}

/**
 * Whether the key that leads to the newest message reads all before it, also what is not fetched: in
 * a conversation or channel, where the user's policy reads on sight.
 */
export function readsToEnd(narrow: Narrow, policy: number): narrow is PlaceNarrow {
  const free = { isFocused: true, isCovered: false, isHeld: false, hidesOlderUnread: false }
  return isPlace(narrow) && readsOnSight({ narrow, policy, ...free })
}

export interface Seen {
  /** Unread messages whose beginning was in sight since the view was opened. */
  readonly shown: Iterable<number>
  /** Whether the newest message of the narrow is drawn and in sight. */
  readonly isAtEnd: boolean
  /** The last message that the selection passed, if any. */
  readonly passedId: number | undefined
}

/**
 * The messages to mark as read: of those that were in sight all at the end, else those that the
 * selection passed. What was skipped, such as by a jump to the end, stays unread.
 */
export function seenIds({ shown, isAtEnd, passedId }: Seen): readonly number[] {
  const limit = isAtEnd ? Number.POSITIVE_INFINITY : (passedId ?? 0)
  return [...shown].filter((id) => id <= limit)
}

/**
 * Whether a view shows conversations whole. In a search, mentions or starred messages, what lies
 * between was not seen.
 */
export function holdsWholeConversations(narrow: Narrow): boolean {
  return (
    isConversation(narrow) ||
    narrow.kind === 'channel' ||
    narrow.kind === 'all' ||
    narrow.kind === 'all-direct'
  )
}

function isConversation(narrow: Narrow): boolean {
  return narrow.kind === 'topic' || narrow.kind === 'direct'
}
