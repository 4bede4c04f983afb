import { topicKey } from '#features/topics/rules.ts'
import type { Read } from '#platform/store/write.ts'
import { contains, intersect, overlaps, type Ranges } from './ranges.ts'
import { findReading, listUnreadPlaces, type UnreadPlace } from './readings.queries.ts'
import { listIds, listTopicIds, listTopics } from './scans.queries.ts'

/** The maximum number of unread messages in the reply of `POST /register`, the newest ones. */
const unreadLimit = 50_000

/**
 * Whether the user has read a message. Messages that cannot be unread count as read: those in
 * channels that the user is not subscribed to, and protected history from before the subscription.
 */
export function isRead(
  read: Read,
  userId: number,
  recipientId: number,
  messageId: number,
): boolean {
  return readChecker(read, userId)(recipientId, messageId)
}

/** `isRead` for many messages: caches each recipient's state, so use it within one turn only. */
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

/** The unread messages of one topic, or of one direct conversation. */
export interface UnreadConversation {
  readonly recipientId: number
  /** Null for a direct conversation. */
  readonly channelId: number | null
  /** Spelled like in its newest unread message. */
  topic: string
  readonly topicKey: string
  /** Ascending. */
  readonly messageIds: number[]
}

export interface Unread {
  readonly conversations: UnreadConversation[]
  /** The number of messages listed. */
  readonly count: number
  /** Whether the limit left out older ones. */
  readonly olderMissing: boolean
}

/** The user's newest unread messages by conversation, at most `limit`. */
export function unread(read: Read, userId: number, limit = unreadLimit): Unread {
  const places = listUnreadPlaces(read, userId)
  const found: Found[] = []
  let count = 0
  let below = places.reduce((top, { gaps }) => Math.max(top, gaps.at(-1) ?? 0), 0)
  // Scans windows of ids from the newest down, so that millions of unread messages cost little
  // more than the limit. Windows grow, for users whose few unread messages are old.
  for (let size = limit; below > 0 && count <= limit; size = Math.min(2 * size, 8 * limit)) {
    const from = Math.max(0, below - size)
    for (const place of places) {
      const { recipientId, gaps } = place
      if (!overlaps(gaps, from, below)) continue
      const rows = listTopics(read, recipientId, intersect(gaps, [from, below]))
      found.push({ place, rows })
      count += rows.length
    }
    below = from
  }
  const conversations = groupByConversation(found.reverse(), Math.max(0, count - limit))
  return { conversations, count: Math.min(count, limit), olderMissing: count > limit }
}

/** The unread messages of one recipient in one window of ids. */
interface Found {
  readonly place: UnreadPlace
  readonly rows: [id: number, topic: string][]
}

/** @param found oldest window first @param omitOldest the number of oldest messages to leave out */
function groupByConversation(found: readonly Found[], omitOldest: number): UnreadConversation[] {
  const oldest = omitOldest > 0 ? idAfter(found, omitOldest) : 0
  const conversations: UnreadConversation[] = []
  const ofRecipients = new Map<number, Map<string, UnreadConversation>>()
  for (const { place, rows } of found) {
    const { recipientId, channelId } = place
    // Keyed by spelling and by topic key, to compute the key only once for each spelling.
    const known = ofRecipients.get(recipientId) ?? new Map<string, UnreadConversation>()
    ofRecipients.set(recipientId, known)
    for (const [id, topic] of rows) {
      if (id < oldest) continue
      let conversation = known.get(topic)
      if (!conversation) {
        const key = topicKey(topic)
        conversation = known.get(key)
        if (!conversation) {
          conversation = { recipientId, channelId, topic, topicKey: key, messageIds: [] }
          conversations.push(conversation)
          known.set(key, conversation)
        }
        known.set(topic, conversation)
      }
      conversation.topic = topic
      conversation.messageIds.push(id)
    }
  }
  return conversations
}

/** The lowest id after the `count` lowest. */
function idAfter(found: readonly Found[], count: number): number {
  return Float64Array.from(found.flatMap(({ rows }) => rows.map(([id]) => id))).sort()[count] ?? 0
}

/** Ids of the user's unread messages, ascending: all, or those of one recipient or one topic. */
export function unreadIds(
  read: Read,
  userId: number,
  place?: { recipientId: number; topicKey?: string },
): number[] {
  if (!place) {
    return listUnreadPlaces(read, userId)
      .flatMap(({ recipientId, gaps }) => listIds(read, recipientId, gaps))
      .sort((a, b) => a - b)
  }
  const { recipientId, topicKey } = place
  const gaps = findReading(read, userId, recipientId)?.gaps ?? []
  if (topicKey === undefined) return listIds(read, recipientId, gaps)
  return listTopicIds(read, recipientId, topicKey, gaps)
}
