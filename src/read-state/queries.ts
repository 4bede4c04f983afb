import { prepared, preparedSql } from '#store/prepared.ts'
import type { Read } from '#store/write.ts'
import { each, type Ranges, contains, intersect, overlaps, span } from './ranges.ts'
import { findReading, listReadings, type Reading } from './readings.ts'

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

type UnreadRow = [id: number, senderId: number, topic: string, topicKey: string]

const newestInGap = prepared((db) =>
  db.$client
    .prepare<[number, number, number, number], UnreadRow>(
      `SELECT id, sender_id, topic, topic_key FROM messages
       WHERE recipient_id = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?`,
    )
    .raw(),
)

/** The user's newest unread messages, `limit` at most. */
export function unread(read: Read, userId: number, { limit = unreadLimit } = {}): Unread {
  const statement = newestInGap(read)
  const readings = [...listReadings(read, userId)].filter(hasGaps)
  const found: UnreadMessage[] = []
  let below = readings.reduce((top, { newest }) => Math.max(top, newest + 1), 0)
  // Windows of growing size from the newest id down, so that a user with millions of unread
  // messages costs no more than `limit`.
  for (let size = limit + 1; below > 0 && found.length <= limit; size *= 2) {
    const from = Math.max(0, below - size)
    for (const { recipientId, channelId, gaps } of readings) {
      if (!overlaps(gaps, from, below)) continue
      for (const [start, end] of each(intersect(gaps, [from, below]))) {
        for (const row of statement.all(recipientId, start, end, limit + 1)) {
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

function hasGaps({ gaps, newest }: { gaps: Ranges; newest: number }): boolean {
  return overlaps(gaps, 0, newest + 1)
}

const idsInGap = prepared((db) =>
  db.$client
    .prepare<[number, number, number], number>(
      'SELECT id FROM messages WHERE recipient_id = ? AND id >= ? AND id < ? ORDER BY id',
    )
    .pluck(),
)

const idsInTopic = prepared((db) =>
  db.$client
    .prepare<[number, string, number, number], number>(
      `SELECT id FROM messages
       WHERE recipient_id = ? AND topic_key = ? AND id >= ? AND id < ? ORDER BY id`,
    )
    .pluck(),
)

/** Ids of the user's unread messages, ascending: all, those of a recipient, or of a topic in it. */
export function unreadIds(
  read: Read,
  userId: number,
  where: { recipientId?: number; topicKey?: string } = {},
): number[] {
  const { recipientId, topicKey } = where
  if (recipientId === undefined) {
    const readings = [...listReadings(read, userId)].filter(hasGaps)
    return readings.flatMap((reading) => idsIn(read, reading)).sort((a, b) => a - b)
  }
  const reading = findReading(read, userId, recipientId)
  if (!reading) return []
  if (topicKey === undefined) return idsIn(read, reading)
  const { gaps } = reading
  // One scan of the topic: a reader of single topics has many gaps, and few of them are here.
  const from = gaps[0] ?? 0
  const ids = idsInTopic(read).all(recipientId, topicKey, from, gaps.at(-1) ?? from)
  return ids.filter((id) => contains(gaps, id))
}

/** Ids of the messages in a reading's gaps, ascending. */
export function idsIn(read: Read, { recipientId, gaps }: Pick<Reading, 'recipientId' | 'gaps'>) {
  const ids: number[] = []
  for (const [from, to] of each(gaps)) {
    for (const id of idsInGap(read).all(recipientId, from, to)) ids.push(id)
  }
  return ids
}

const firstInGap = prepared((db) =>
  db.$client
    .prepare<[number, number, number], number>(
      'SELECT id FROM messages WHERE recipient_id = ? AND id >= ? AND id < ? ORDER BY id LIMIT 1',
    )
    .pluck(),
)

/** Id of the user's oldest unread message, of all or of one recipient; undefined if none is. */
export function firstUnread(
  read: Read,
  userId: number,
  recipientId?: number,
): number | undefined {
  const one = recipientId === undefined ? undefined : findReading(read, userId, recipientId)
  const readings = recipientId === undefined ? listReadings(read, userId) : one ? [one] : []
  let first: number | undefined
  for (const reading of readings) {
    for (const [from, to] of each(intersect(reading.gaps, span(0, first ?? Infinity)))) {
      const id = firstInGap(read).get(reading.recipientId, from, to)
      if (id === undefined) continue
      first = id
      break
    }
  }
  return first
}

const topicsInGap = prepared((db) =>
  db.$client
    .prepare<[number, number, number], string>(
      'SELECT topic_key FROM messages WHERE recipient_id = ? AND id >= ? AND id < ?',
    )
    .pluck(),
)

/** How many unread messages each topic of a channel has for the user, by topic key. */
export function countByTopic(
  read: Read,
  userId: number,
  recipientId: number,
): Map<string, number> {
  const counts = new Map<string, number>()
  const gaps = findReading(read, userId, recipientId)?.gaps ?? []
  for (const [from, to] of each(gaps)) {
    for (const key of topicsInGap(read).all(recipientId, from, to)) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts
}

/** Whether the recipient has no message with `from <= id < to`. */
export function isEmptyGap(read: Read, recipientId: number, from: number, to: number): boolean {
  return firstInGap(read).get(recipientId, from, to) === undefined
}
