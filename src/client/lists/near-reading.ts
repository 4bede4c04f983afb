import type { Narrow } from '#client/narrow/narrow.ts'

/** The conditions under which visible messages become read. */
export interface Reading {
  readonly narrow: Narrow
  /** The user's `web_mark_read_on_scroll_policy`: 1 always, 2 in conversations, 3 never. */
  readonly policy: number
  /** Whether the window has the focus and is visible. */
  readonly isFocused: boolean
  /** Whether a dialog or an overlay covers the messages. */
  readonly isCovered: boolean
  /** Whether the user marked messages of this list as unread, which stops reading in it. */
  readonly isHeld: boolean
  /**
   * Whether older unread messages are not fetched, as after a link to a message: reading them
   * unseen would lose them.
   */
  readonly hidesOlderUnread: boolean
}

/** Whether visible messages become read now. Check again when any of this changes. */
export function readsOnSight(reading: Reading): boolean {
  const { narrow, policy, isFocused, isCovered, isHeld, hidesOlderUnread } = reading
  if (!isFocused || isCovered || isHeld || hidesOlderUnread) return false
  if (!holdsWholeConversations(narrow)) return false
  return policy === 1 || (policy === 2 && isConversation(narrow))
}

export type PlaceNarrow = Extract<Narrow, { readonly kind: 'topic' | 'direct' | 'channel' }>

/** Whether a view is of one conversation or channel, which can be marked as read completely. */
export function isPlace(narrow: Narrow): narrow is PlaceNarrow {
  return isConversation(narrow) || narrow.kind === 'channel'
}

/**
 * Whether the key for the newest message marks all earlier ones as read, even unfetched ones: in a
 * conversation or channel, if the user's policy marks visible messages as read.
 */
export function readsToEnd(narrow: Narrow, policy: number): narrow is PlaceNarrow {
  const free = { isFocused: true, isCovered: false, isHeld: false, hidesOlderUnread: false }
  return isPlace(narrow) && readsOnSight({ narrow, policy, ...free })
}

export interface SightedMessages {
  /** Unread messages whose beginning was in sight since the view was opened. */
  readonly shown: Iterable<number>
  /** Whether the newest message of the narrow is drawn and in sight. */
  readonly isAtEnd: boolean
  /** The last message that the selection passed, if any. */
  readonly passedId: number | undefined
}

/**
 * The messages to mark as read: at the end all that were in sight, otherwise those that the
 * selection has passed. Skipped ones stay unread, for example after a jump to the end.
 */
export function seenIds({ shown, isAtEnd, passedId }: SightedMessages): readonly number[] {
  const limit = isAtEnd ? Number.POSITIVE_INFINITY : (passedId ?? 0)
  return [...shown].filter((id) => id <= limit)
}

/**
 * Whether a view shows complete conversations. In a search, mentions or starred messages, the
 * messages in between were not seen.
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
