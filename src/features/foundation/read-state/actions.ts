import {
  closeOver,
  contains,
  covers,
  each,
  equal,
  fromIds,
  intersect,
  type Ranges,
  span,
  subtract,
  union,
} from '#platform/ranges.ts'
import type { Tx } from '#platform/store/store.ts'
import {
  findReading,
  listSubscriberReadings,
  listUnreadPlaces,
  type Reading,
} from './readings.queries.ts'
import { findFirst, listIds, newestId, voidsAround } from './scans.queries.ts'
import {
  addState,
  appendRead,
  findState,
  listStates,
  listStatesAfter,
  saveState,
} from './states.queries.ts'

/** A message and its recipient. */
export interface MessagePlace {
  readonly id: number
  readonly recipientId: number
}

/**
 * Marks messages as read for a user.
 *
 * @returns the ids of those that were unread, ascending
 */
export function markRead(tx: Tx, userId: number, messages: readonly MessagePlace[]): number[] {
  return changeEach(tx, userId, messages, (reading, ids) => {
    const { gaps } = reading
    const changed = ids.filter((id) => contains(gaps, id))
    if (changed.length > 0) addRead(tx, userId, reading, fromIds(changed))
    return changed
  })
}

/**
 * Marks messages as unread for a user. Ignores messages that cannot be unread: those in channels
 * that the user is not subscribed to, and protected history from before the subscription.
 *
 * @returns the ids of those that were read, ascending
 */
export function markUnread(tx: Tx, userId: number, messages: readonly MessagePlace[]): number[] {
  return changeEach(tx, userId, messages, ({ recipientId, possible, gaps, ranges }, ids) => {
    const changed = ids.filter((id) => contains(possible, id) && !contains(gaps, id))
    if (changed.length > 0) {
      saveState(tx, userId, recipientId, subtract(ranges, fromIds(changed)))
    }
    return changed
  })
}

/**
 * Marks all messages of a recipient as read for a user, up to and including the id `upTo`.
 *
 * @returns the ids of those that were unread, ascending
 */
export function markAllRead(tx: Tx, userId: number, recipientId: number, upTo: number): number[] {
  const reading = findReading(tx, userId, recipientId)
  if (!reading) return []
  // Stops at the newest message, so that future messages are unread.
  const read = span(0, Math.min(upTo, newestId(tx, recipientId) ?? -1) + 1)
  const added = intersect(reading.gaps, read)
  if (added.length > 0) addRead(tx, userId, reading, added)
  return listIds(tx, { recipientId, set: added })
}

/**
 * Marks all messages of all recipients as read for a user.
 *
 * @returns whether anything was unread
 */
export function markEverything(tx: Tx, userId: number): boolean {
  const places = listUnreadPlaces(tx, userId)
  const wasUnread = places.some(
    ({ recipientId, gaps }) => findFirst(tx, recipientId, gaps) !== undefined,
  )
  for (const place of places) addRead(tx, userId, place, place.gaps)
  return wasUnread
}

/**
 * Marks a message as read for a user when it is sent, in constant time.
 *
 * @param messageId newer than all other messages of the recipient
 */
export function markOwnSent(tx: Tx, userId: number, recipientId: number, messageId: number): void {
  appendRead(tx, userId, recipientId, messageId)
}

/**
 * Marks the history of a channel as read for a new subscriber. Call it for every new or renewed
 * subscription, or else the history counts as unread.
 *
 * @param beforeId the first id that the subscription covers, above all messages sent so far
 */
export function startHistory(tx: Tx, userId: number, recipientId: number, beforeId: number): void {
  const history = span(0, beforeId)
  if (addState(tx, userId, recipientId, history)) return
  saveState(tx, userId, recipientId, union(findState(tx, userId, recipientId), history))
}

/** Unread messages of a user that a move turned into read ones. */
export interface LostUnread {
  readonly userId: number
  /** Ascending. */
  readonly messageIds: number[]
}

/** The messages of a channel that are about to move: those that each subscriber has not read. */
export type UnreadBefore = ReadonlyMap<number, Ranges>

/** What `moveReadState` needs from before the move. */
export function unreadBeforeMove(
  tx: Tx,
  recipientId: number,
  messageIds: readonly number[],
): UnreadBefore {
  const moving = fromIds(ascending(messageIds))
  const unread = new Map<number, Ranges>()
  for (const [userId, reading] of listSubscriberReadings(tx, recipientId)) {
    if (coversAll(reading.ranges, moving)) continue
    const own = intersect(reading.gaps, moving)
    if (own.length > 0) unread.set(userId, own)
  }
  return unread
}

/**
 * Moves every user's read state along with messages that moved to another channel; call it after
 * the move. For users who were not subscribed to the old channel the messages are read.
 *
 * @param messageIds the moved messages, in any order
 * @returns the users for whom unread messages became read, because they are not subscribed to the
 * new channel
 */
export function moveReadState(
  tx: Tx,
  fromRecipientId: number,
  toRecipientId: number,
  messageIds: readonly number[],
  before: UnreadBefore,
): LostUnread[] {
  const ids = ascending(messageIds)
  const moved = fromIds(ids)
  const targets = listSubscriberReadings(tx, toRecipientId)
  const voids = subtract(voidsAround(tx, toRecipientId, ids), moved)
  for (const { userId, ranges } of targets.values()) {
    const unread = before.get(userId) ?? []
    if (unread.length === 0 && coversAll(ranges, moved)) continue
    const carried = union(subtract(ranges, unread), subtract(moved, unread))
    if (equal(carried, ranges)) continue
    saveState(tx, userId, toRecipientId, closeOver(carried, voids))
  }
  forget(tx, fromRecipientId, ids)
  const lost: LostUnread[] = []
  for (const [userId, unread] of before) {
    const kept = targets.get(userId)?.possible ?? []
    const messageIds = ids.filter((id) => contains(unread, id) && !contains(kept, id))
    if (messageIds.length > 0) lost.push({ userId, messageIds })
  }
  return lost
}

/**
 * Closes the gaps that deleted messages leave in every user's read state; call it after the
 * deletion. Message ids are never reused.
 */
export function forget(tx: Tx, recipientId: number, messageIds: readonly number[]): void {
  const ids = ascending(messageIds)
  const gone = fromIds(ids)
  const voids = voidsAround(tx, recipientId, ids)
  for (const { userId, ranges } of listStates(tx, recipientId)) {
    if (coversAll(ranges, gone)) continue
    const closed = closeOver(ranges, voids)
    if (closed !== ranges) saveState(tx, userId, recipientId, closed)
  }
}

/**
 * Closes the gaps below a recipient's oldest message, for the `most` readers with the next ids
 * above `afterUserId`. Gaps without messages are harmless, so this may run after the transaction
 * that deletes the messages.
 *
 * @param oldestId the id of the oldest message; undefined when the recipient has no messages
 * @returns the last reader's id, to continue from; undefined when there are no more
 */
export function closeGapsBefore(
  tx: Tx,
  recipientId: number,
  oldestId: number | undefined,
  afterUserId: number,
  most: number,
): number | undefined {
  const states = listStatesAfter(tx, recipientId, afterUserId, most)
  for (const { userId, ranges } of states) {
    const end = oldestId ?? ranges.at(-1) ?? 0
    if (!covers(ranges, 0, end)) saveState(tx, userId, recipientId, union(ranges, span(0, end)))
  }
  return states[most - 1]?.userId
}

/** Runs `change` for each recipient that the user reads, with its message ids, ascending. */
function changeEach(
  tx: Tx,
  userId: number,
  messages: readonly MessagePlace[],
  change: (reading: Reading, ids: number[]) => number[],
): number[] {
  const idsByRecipient = new Map<number, number[]>()
  for (const { id, recipientId } of messages) {
    const ids = idsByRecipient.get(recipientId)
    if (ids) ids.push(id)
    else idsByRecipient.set(recipientId, [id])
  }
  const changed: number[] = []
  for (const [recipientId, ids] of idsByRecipient) {
    const reading = findReading(tx, userId, recipientId)
    if (!reading) continue
    for (const id of change(reading, ascending(ids))) changed.push(id)
  }
  return changed.sort((a, b) => a - b)
}

/** Adds `added` to what the user has read, and closes adjacent gaps that contain no message. */
function addRead(
  tx: Tx,
  userId: number,
  { recipientId, ranges }: Pick<Reading, 'recipientId' | 'ranges'>,
  added: Ranges,
): void {
  const grown = union(ranges, added)
  const edges = [...each(added)].flatMap(([from, to]) => [from, to - 1])
  const isWhole = grown.length === 2 && grown[0] === 0
  const voids = isWhole ? [] : subtract(voidsAround(tx, recipientId, ascending(edges)), added)
  saveState(tx, userId, recipientId, closeOver(grown, voids))
}

function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** Whether a single range covers all of `ids`. */
function coversAll(ranges: Ranges, ids: Ranges): boolean {
  const [from = 0] = ids
  return covers(ranges, from, ids.at(-1) ?? from)
}
