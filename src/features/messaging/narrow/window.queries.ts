import { newestMessageId } from '#features/foundation/core/queries.ts'
import type { User, Viewer } from '#features/foundation/users/queries.ts'
import type { Term } from '#platform/events/types.ts'
import { ceiling } from '#platform/ranges.ts'
import { atOnce, type Steps } from '#platform/steps.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'
import { compileNarrow, type Narrow } from './compile.ts'
import type { WalkBounds } from './cursor.queries.ts'
import type { Anchor } from './params.ts'
import { withoutMuted } from './unmuted.ts'
import { allReadable } from './visible.queries.ts'
import { listMatching, walk } from './walk.queries.ts'

/** The window of a narrow to fetch. */
export interface WindowRequest {
  readonly narrow: readonly Term[]
  /** With `since`, the first message of the narrow that was sent then or later; in seconds. */
  readonly anchor: Anchor | { readonly since: number }
  /** Whether to include the message at the anchor, if it is in the narrow. */
  readonly includeAnchor: boolean
  /** The number of messages with smaller ids than the anchor. */
  readonly numBefore: number
  /** The number of messages with larger ids than the anchor. */
  readonly numAfter: number
}

/** Consecutive messages of a narrow. */
export interface Window {
  /** Ascending. */
  readonly ids: readonly number[]
  /**
   * The id of the anchor: the requested number, or the message that a named anchor stands for; 0
   * when the narrow is empty, `afterAll` when its first unread message is asked for and all are read.
   */
  readonly anchor: number
  /** Whether the message at the anchor is among `ids`. */
  readonly foundAnchor: boolean
  /** The narrow's search texts. */
  readonly searched: readonly string[]
  /** Whether the narrow certainly has no messages older than the window. */
  readonly foundOldest: boolean
  /** Whether the narrow certainly has no messages newer than the window. */
  readonly foundNewest: boolean
}

/**
 * The messages of a narrow around an anchor.
 *
 * `newest` lies after the last message, so the window is the `numBefore` newest ones; `oldest` lies
 * before the first; a date, before the first message that was sent then or later, or like `newest`
 * when there is none. `first_unread` is the oldest unread message of the narrow that counts, or
 * `newest` when there is none. Only then the reply's anchor is no message id but `afterAll`, by which
 * clients know that all is read; after `newest` some read it as a 32-bit integer.
 *
 * @throws BAD_NARROW
 * @source Zulip API, "Get messages"
 */
export function* narrowWindow(read: Read, user: Viewer, request: WindowRequest): Steps<Window> {
  const narrow = compileNarrow({ read, user }, request.narrow)
  const { searched } = narrow
  if (typeof request.anchor === 'object') {
    const first = yield* firstSince(read, user, request.narrow, request.anchor.since)
    return { ...(yield* windowIds(read, narrow, request, first ?? 'newest')), searched }
  }
  if (request.anchor !== 'first_unread') {
    return { ...(yield* windowIds(read, narrow, request, request.anchor)), searched }
  }
  const first = yield* firstUnread(read, user, request)
  if (first !== undefined)
    return { ...(yield* windowAround(read, narrow, request, first)), searched }
  const newest = yield* newestWindow(read, narrow, request.numBefore)
  return { ...newest, anchor: afterAll, foundAnchor: false, searched }
}

/** Above every message id; clients know this number as the end. */
const afterAll = 10_000_000_000_000_000

/** The id of the newest message that a user has received; 0 when there is none. */
export function newestReceivedId(read: Read, user: User): number {
  return atOnce(newestWindow(read, compileNarrow({ read, user }, []), 0)).anchor
}

type WindowIds = Omit<Window, 'searched'>

function windowIds(
  read: Read,
  narrow: Narrow,
  request: WindowRequest,
  anchor: Exclude<Anchor, 'first_unread'>,
): Steps<WindowIds> {
  if (anchor === 'newest') return newestWindow(read, narrow, request.numBefore)
  if (anchor === 'oldest') return oldestWindow(read, narrow, request.numAfter)
  return windowAround(read, narrow, request, anchor)
}

function* firstSince(
  read: Read,
  user: Viewer,
  terms: readonly Term[],
  since: number,
): Steps<number | undefined> {
  const sentSince = { operator: 'after', operand: Math.max(Math.ceil(since), 0), negated: false }
  const narrow = compileNarrow({ read, user }, [...terms, sentSince])
  const [first] = yield* search(read, narrow, { direction: 'newer', from: 0, until: ceiling }, 1)
  return first
}

function* firstUnread(
  read: Read,
  user: Viewer,
  { narrow }: WindowRequest,
): Steps<number | undefined> {
  // To spectators all messages are read.
  if (user === 'spectator') return undefined
  const isUnread = { operator: 'is', operand: 'unread', negated: false }
  const unread = compileNarrow({ read, user }, [...narrow, isUnread])
  const loud = withoutMuted({ read, user }, unread, narrow)
  const [first] = yield* search(read, loud, { direction: 'newer', from: 0, until: ceiling }, 1)
  return first
}

/**
 * A walk within the bounds of the narrow, and up to the newest message: beyond, each query would find
 * nothing.
 */
function search(
  read: Read,
  narrow: Narrow,
  { direction, from, until }: WalkBounds,
  limit: number,
): Steps<number[]> {
  const { bounds } = narrow
  const course = {
    direction,
    from: Math.max(from, bounds.from),
    until: Math.min(until, bounds.until, newestMessageId(read) + 1),
  }
  return walk(read, narrow, course, limit)
}

function* newestWindow(read: Read, narrow: Narrow, count: number): Steps<WindowIds> {
  const found = yield* search(
    read,
    narrow,
    { direction: 'older', from: 0, until: ceiling },
    count + 1,
  )
  const ids = found.slice(0, count).reverse()
  return {
    ids,
    anchor: found[0] ?? 0,
    foundAnchor: ids.length > 0,
    foundOldest: found.length <= count,
    foundNewest: true,
  }
}

function* oldestWindow(read: Read, narrow: Narrow, count: number): Steps<WindowIds> {
  const found = yield* search(
    read,
    narrow,
    { direction: 'newer', from: 0, until: ceiling },
    count + 1,
  )
  const ids = found.slice(0, count)
  return {
    ids,
    anchor: found[0] ?? 0,
    foundAnchor: ids.length > 0,
    foundOldest: true,
    foundNewest: found.length <= count,
  }
}

function* windowAround(
  read: Read,
  narrow: Narrow,
  { includeAnchor, numBefore, numAfter }: WindowRequest,
  anchor: number,
): Steps<WindowIds> {
  const at = Math.min(Math.max(anchor, 0), ceiling - 1)
  const before = yield* search(
    read,
    narrow,
    { direction: 'older', from: 0, until: at },
    numBefore && numBefore + 1,
  )
  const after = yield* search(
    read,
    narrow,
    { direction: 'newer', from: at + 1, until: ceiling },
    numAfter && numAfter + 1,
  )
  const exact = includeAnchor ? yield* listMatching(read, narrow, [at]) : []
  return {
    ids: [...before.slice(0, numBefore).reverse(), ...exact, ...after.slice(0, numAfter)],
    anchor,
    foundAnchor: exact.length > 0,
    // A side that was not requested was not searched, so its end is known only at the ends of all
    // IDs.
    foundOldest: numBefore > 0 ? before.length <= numBefore : at <= 1,
    foundNewest: numAfter > 0 ? after.length <= numAfter : at >= newestMessageId(read),
  }
}

/** Some of the messages of a narrow. */
export type NarrowSelection = Pick<Window, 'ids' | 'searched'>

/** The ids among `ids` that a window of the narrow could contain. @throws BAD_NARROW */
export function* matchNarrow(
  read: Read,
  user: User,
  terms: readonly Term[],
  ids: readonly number[],
): Steps<NarrowSelection> {
  const narrow = compileNarrow({ read, user }, terms)
  return { ids: yield* listMatching(read, narrow, ids), searched: narrow.searched }
}

/**
 * The ids among `ids` that the viewer may read and that match the filters. Unlike a window, it is not
 * limited to the user's own history.
 *
 * @throws BAD_NARROW
 * @source Zulip API, "Get messages", `message_ids` (feature level 300)
 */
export function* pickFromNarrow(
  read: Read,
  user: Viewer,
  terms: readonly Term[],
  ids: readonly number[],
): Steps<NarrowSelection> {
  const narrow = compileNarrow({ read, user }, terms, allReadable(read, user))
  return { ids: yield* listMatching(read, narrow, ids), searched: narrow.searched }
}

const totalChanges = preparedSql<{ count: number }>('SELECT total_changes() AS count')

/**
 * The number of rows written since the start. The same number twice means that nothing changed.
 */
export function countChanges(read: Read): number {
  return totalChanges(read).get({})?.count ?? 0
}

/** The ids of those messages that the viewer may read, ascending. */
export function listReadable(
  read: Read,
  viewer: Viewer,
  messages: readonly { readonly id: number }[],
): number[] {
  const ids = messages.map(({ id }) => id)
  return [...atOnce(pickFromNarrow(read, viewer, [], ids)).ids]
}
