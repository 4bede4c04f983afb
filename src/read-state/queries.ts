import type { Read } from '#store/write.ts'
import { ceiling, contains, each, intersect, overlaps, type Ranges, span } from './ranges.ts'
import { findReading, listUnreadReadings } from './readings.ts'
import { findFirst, listIds, listNewest, listTopicIds, listTopicKeys } from './scans.ts'

/** Newest unread messages that `POST /register` lists at most. */
const unreadLimit = 50_000

/**
 * Whether the user has read a message. What cannot be unread counts as read: messages of channels
 * without a subscription now, and of protected history from before the subscription.
 */
export function isRead(
  read: Read,
  userId: number,
  recipientId: number,
  messageId: number,
): boolean {
  return readChecker(read, userId)(recipientId, messageId)
}

/** `isRead` for many messages: looks up each recipient's state once. Use it within one turn. */
export function readChecker(
  read: Read,
  userId: number,
): (recipientId: number, messageId: number) => boolean {
  const known = new Map<number, Ranges>()
  return (recipientId, messageId) => {
    let gaps = known.get(recipientId)
    if (gaps === undefined) {
      gaps = findReading(read, userId, recipientId)?.gaps ?? []
      known.set(recipientId, gaps)
    }
    return !contains(gaps, messageId)
  }
}

export interface UnreadMessage {
  readonly id: number
  readonly recipientId: number
  /** Null for direct messages. */
  readonly channelId: number | null
  readonly senderId: number
  readonly topic: string
  readonly topicKey: string
}

export interface Unread {
  /** Ascending by id. */
  readonly messages: UnreadMessage[]
  /** There are older ones beyond the limit. */
  readonly olderMissing: boolean
}

/** The user's newest unread messages, `limit` at most. */
export function unread(read: Read, userId: number, { limit = unreadLimit } = {}): Unread {
  const readings = listUnreadReadings(read, userId)
  const found: UnreadMessage[] = []
  let below = readings.reduce((top, { gaps }) => Math.max(top, gaps.at(-1) ?? 0), 0)
  // Windows of growing size from the newest id down, so that a user with millions of unread
  // messages costs no more than `limit`.
  for (let size = limit + 1; below > 0 && found.length <= limit; size *= 2) {
    const from = Math.max(0, below - size)
    for (const { recipientId, channelId, gaps } of readings) {
      if (!overlaps(gaps, from, below)) continue
      for (const [start, end] of each(intersect(gaps, [from, below]))) {
        for (const row of listNewest(read, recipientId, start, end, limit + 1)) {
          const [id, senderId, topic, topicKey] = row
          found.push({ id, recipientId, channelId, senderId, topic, topicKey })
        }
      }
    }
    below = from
  }
  found.sort((a, b) => a.id - b.id)
  return { messages: found.slice(-limit), olderMissing: found.length > limit }
}

/** Ids of the user's unread messages, ascending: all, those of a recipient, or of a topic in it. */
export function unreadIds(
  read: Read,
  userId: number,
  place?: { recipientId: number; topicKey?: string },
): number[] {
  if (!place) {
    return listUnreadReadings(read, userId)
      .flatMap((reading) => listIds(read, reading.recipientId, reading.gaps))
      .sort((a, b) => a - b)
  }
  const { recipientId, topicKey } = place
  const gaps = findReading(read, userId, recipientId)?.gaps ?? []
  if (topicKey === undefined) return listIds(read, recipientId, gaps)
  return listTopicIds(read, recipientId, topicKey, gaps)
}

/** Id of the user's oldest unread message, of all or of one recipient; undefined if none is. */
export function firstUnread(read: Read, userId: number, recipientId?: number): number | undefined {
  if (recipientId !== undefined) {
    return findFirst(read, recipientId, findReading(read, userId, recipientId)?.gaps ?? [])
  }
  let first: number | undefined
  for (const reading of listUnreadReadings(read, userId)) {
    const older = intersect(reading.gaps, span(0, first ?? ceiling))
    first = findFirst(read, reading.recipientId, older) ?? first
  }
  return first
}

/** How many unread messages each topic of a channel has for the user, by topic key. */
export function countByTopic(read: Read, userId: number, recipientId: number): Map<string, number> {
  const counts = new Map<string, number>()
  const gaps = findReading(read, userId, recipientId)?.gaps ?? []
  for (const key of listTopicKeys(read, recipientId, gaps)) {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
