import type { Caller } from '#http/caller.ts'
import { newestMessageId } from '#messages/queries.ts'
import { ceiling } from '#read-state/ranges.ts'
import type { Read } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { compileNarrow, type Narrow } from './compile.ts'
import type { Anchor } from './param.ts'
import type { Term } from './types.ts'
import { allReadable } from './visible.ts'
import { listMatching, walk } from './walk.ts'

/** Which messages of a narrow are wanted. */
export interface WindowRequest {
  readonly narrow: readonly Term[]
  readonly anchor: Anchor
  /** Whether the message at the anchor belongs to the window, if it is in the narrow. */
  readonly includeAnchor: boolean
  /** How many messages with smaller and with larger ids than the anchor. */
  readonly numBefore: number
  readonly numAfter: number
}

/** A stretch of a narrow without gaps. */
export interface Window {
  /** Ascending. */
  readonly ids: readonly number[]
  /**
   * The id the window lies at: the number that was asked for, or the message that a named anchor
   * stands for; 0 when the narrow is empty.
   */
  readonly anchor: number
  /** Whether the message at the anchor is among `ids`. */
  readonly foundAnchor: boolean
  /** The narrow's search texts. */
  readonly searched: readonly string[]
  /** Whether it is certain that the narrow has nothing older, or newer, than the window. */
  readonly foundOldest: boolean
  readonly foundNewest: boolean
}

/**
 * The messages of a narrow around an anchor.
 *
 * `newest` lies behind the last message: `numBefore` newest ones are the window. `oldest` lies
 * before the first in the same way. `first_unread` is the oldest unread message of the narrow, or
 * `newest` when all are read.
 *
 * @throws BAD_NARROW
 * @source contract, "Get messages"; clients.md §0.4: the anchor of the reply is a message id
 */
export function narrowWindow(
  read: Read,
  caller: Pick<Caller, 'user'>,
  request: WindowRequest,
): Window {
  const narrow = compileNarrow({ read, user: caller.user }, request.narrow)
  const anchor =
    request.anchor === 'first_unread' ? firstUnread(read, caller, request) : request.anchor
  const { searched } = narrow
  if (anchor === 'newest') return { ...newestWindow(read, narrow, request.numBefore), searched }
  if (anchor === 'oldest') return { ...oldestWindow(read, narrow, request.numAfter), searched }
  return { ...windowAround(read, narrow, request, anchor), searched }
}

/** The newest message that a user has received; 0 when there is none. */
export function newestReceivedId(read: Read, user: User): number {
  return newestWindow(read, compileNarrow({ read, user }, []), 0).anchor
}

type Stretch = Omit<Window, 'searched'>

function firstUnread(
  read: Read,
  { user }: Pick<Caller, 'user'>,
  { narrow }: WindowRequest,
): number | 'newest' {
  const isUnread = { operator: 'is', operand: 'unread', negated: false }
  const unread = compileNarrow({ read, user }, [...narrow, isUnread])
  return walk(read, unread, { direction: 'newer', from: 0, until: ceiling }, 1)[0] ?? 'newest'
}

function newestWindow(read: Read, narrow: Narrow, count: number): Stretch {
  const found = walk(read, narrow, { direction: 'older', from: 0, until: ceiling }, count + 1)
  const ids = found.slice(0, count).reverse()
  return {
    ids,
    anchor: found[0] ?? 0,
    foundAnchor: ids.length > 0,
    foundOldest: found.length <= count,
    foundNewest: true,
  }
}

function oldestWindow(read: Read, narrow: Narrow, count: number): Stretch {
  const found = walk(read, narrow, { direction: 'newer', from: 0, until: ceiling }, count + 1)
  const ids = found.slice(0, count)
  return {
    ids,
    anchor: found[0] ?? 0,
    foundAnchor: ids.length > 0,
    foundOldest: true,
    foundNewest: found.length <= count,
  }
}

function windowAround(
  read: Read,
  narrow: Narrow,
  { includeAnchor, numBefore, numAfter }: WindowRequest,
  anchor: number,
): Stretch {
  const at = Math.min(Math.max(anchor, 0), ceiling - 1)
  const before = walk(
    read,
    narrow,
    { direction: 'older', from: 0, until: at },
    numBefore && numBefore + 1,
  )
  const after = walk(
    read,
    narrow,
    { direction: 'newer', from: at + 1, until: ceiling },
    numAfter && numAfter + 1,
  )
  const exact = includeAnchor ? listMatching(read, narrow, [at]) : []
  return {
    ids: [...before.slice(0, numBefore).reverse(), ...exact, ...after.slice(0, numAfter)],
    anchor,
    foundAnchor: exact.length > 0,
    // Nothing was looked for on a side that nobody asked for: only where no id can be, is it known.
    foundOldest: numBefore > 0 ? before.length <= numBefore : at <= 1,
    foundNewest: numAfter > 0 ? after.length <= numAfter : at >= newestMessageId(read),
  }
}

/** Some of the messages of a narrow. */
type Picked = Pick<Window, 'ids' | 'searched'>

/** Those of the ids that a narrow has, as its window would show them. @throws BAD_NARROW */
export function matchNarrow(
  read: Read,
  user: User,
  terms: readonly Term[],
  ids: readonly number[],
): Picked {
  const narrow = compileNarrow({ read, user }, terms)
  return { ids: listMatching(read, narrow, ids), searched: narrow.searched }
}

/**
 * Those of the ids that the user may read and that the filters let through. Unlike a window, it
 * is not bound to the user's own history.
 *
 * @throws BAD_NARROW
 * @source contract, "Get messages": `message_ids` (level 300)
 */
export function pickFromNarrow(
  read: Read,
  user: User,
  terms: readonly Term[],
  ids: readonly number[],
): Picked {
  const narrow = compileNarrow({ read, user }, terms, allReadable(read, user))
  return { ids: listMatching(read, narrow, ids), searched: narrow.searched }
}
