import type { Tx } from '#store/write.ts'
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
} from './ranges.ts'
import {
  appendRead,
  findReading,
  findState,
  listStates,
  listStatesAfter,
  listSubscriberReadings,
  listUnreadPlaces,
  type Reading,
  saveState,
} from './readings.ts'
import { findFirst, listIds, newestId, voidsAround } from './scans.ts'

/** A message and where it is. */
export interface Placed {
  readonly id: number
  readonly recipientId: number
}

/**
 * Marks messages as read for a user.
 *
 * @returns ids of those that were unread, ascending
 */
export function markRead(tx: Tx, userId: number, messages: readonly Placed[]): number[] {
  return changeEach(tx, userId, messages, (reading, ids) => {
    const { gaps } = reading
    const changed = ids.filter((id) => contains(gaps, id))
    if (changed.length > 0) addRead(tx, userId, reading, fromIds(changed))
    return changed
  })
}

/**
 * Marks messages as unread for a user. Ignores those that cannot be unread: in channels without a
 * subscription now, and protected history from before the subscription.
 *
 * @returns ids of those that were read, ascending
 */
export function markUnread(tx: Tx, userId: number, messages: readonly Placed[]): number[] {
  return changeEach(tx, userId, messages, ({ recipientId, possible, gaps, ranges }, ids) => {
    const changed = ids.filter((id) => contains(possible, id) && !contains(gaps, id))
    if (changed.length > 0) {
      saveState(tx, userId, recipientId, subtract(ranges, fromIds(changed)))
    }
    return changed
  })
}

/**
 * Marks everything in a recipient as read for a user, up to and with the id `upTo`.
 *
 * @returns ids of those that were unread, ascending
 */
export function markAllRead(tx: Tx, userId: number, recipientId: number, upTo: number): number[] {
  const reading = findReading(tx, userId, recipientId)
  if (!reading) return []
  // Not beyond what exists: messages to come are unread.
  const read = span(0, Math.min(upTo, newestId(tx, recipientId) ?? -1) + 1)
  const added = intersect(reading.gaps, read)
  if (added.length > 0) addRead(tx, userId, reading, added)
  return listIds(tx, recipientId, added)
}

/**
 * Marks everything as read for a user, in all recipients.
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
 * Marks a message as read for somebody as it is sent; the cost does not grow with anything.
 *
 * @param messageId newer than all other messages of the recipient
 */
export function markOwnSent(tx: Tx, userId: number, recipientId: number, messageId: number): void {
  appendRead(tx, userId, recipientId, messageId)
}

/**
 * Starts a subscription: everything before it is read. Belongs to every new or renewed one, or
 * the channel's history counts as unread.
 *
 * @param beforeId the first id that the subscription covers: above every message sent until now
 */
export function startHistory(tx: Tx, userId: number, recipientId: number, beforeId: number): void {
  const ranges = findState(tx, userId, recipientId)
  saveState(tx, userId, recipientId, union(ranges, span(0, beforeId)))
}

/** Messages that a user could no longer have unread after a move. */
export interface Lost {
  readonly userId: number
  /** Ascending. */
  readonly messageIds: number[]
}

/**
 * Takes everybody's read state along when messages move to another channel; call it once the
 * messages are there. Who was not subscribed where they come from has read them.
 *
 * @param messageIds the moved ones, in any order
 * @returns for whom unread messages became read, because they are not subscribed to the new place
 */
export function carryOver(
  tx: Tx,
  fromRecipientId: number,
  toRecipientId: number,
  messageIds: readonly number[],
): Lost[] {
  const ids = ascending(messageIds)
  const moved = fromIds(ids)
  const sources = listSubscriberReadings(tx, fromRecipientId)
  const targets = listSubscriberReadings(tx, toRecipientId)
  const voids = subtract(voidsAround(tx, toRecipientId, ids), moved)
  for (const { userId, ranges } of targets.values()) {
    const unread = unreadOf(sources.get(userId), moved)
    if (unread.length === 0 && coversAll(ranges, moved)) continue
    const carried = union(subtract(ranges, unread), subtract(moved, unread))
    if (equal(carried, ranges)) continue
    saveState(tx, userId, toRecipientId, closeOver(carried, voids))
  }
  forget(tx, fromRecipientId, ids)
  const lost: Lost[] = []
  for (const [userId, source] of sources) {
    const unread = unreadOf(source, moved)
    if (unread.length === 0) continue
    const kept = targets.get(userId)?.possible ?? []
    const messageIds = ids.filter((id) => contains(unread, id) && !contains(kept, id))
    if (messageIds.length > 0) lost.push({ userId, messageIds })
  }
  return lost
}

/** Which of `moved` were unread; who does not read a channel has nothing unread there. */
function unreadOf(source: Reading | undefined, moved: Ranges): Ranges {
  if (!source || coversAll(source.ranges, moved)) return []
  return intersect(source.gaps, moved)
}

/**
 * Closes the gaps that deleted messages leave in everybody's read state; call it once the
 * messages are gone from the recipient. Their ids are never used again.
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
 * Closes the gaps below a recipient's oldest message, for some of its readers: those with the next
 * `most` ids above `afterUserId`. Gaps without messages are harmless, so it need not happen in the
 * transaction that deletes.
 *
 * @param oldestId everything below is gone, or was never there; undefined: so is everything
 * @returns the last reader looked at; undefined when there are no more
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

/** Runs `change` once for each recipient that the user reads, with its message ids, ascending. */
function changeEach(
  tx: Tx,
  userId: number,
  messages: readonly Placed[],
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

/** Stores that `added` was read too, and closes the gaps beside it that hold no message. */
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

/** Whether one range reaches over all of `ids`. */
function coversAll(ranges: Ranges, ids: Ranges): boolean {
  const [from = 0] = ids
  return covers(ranges, from, ids.at(-1) ?? from)
}
