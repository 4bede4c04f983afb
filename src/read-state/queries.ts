import type { Read } from '#store/write.ts'
import { topicKey } from '#topics/names.ts'
import { ceiling, contains, intersect, overlaps, type Ranges, span } from './ranges.ts'
import { findReading, listUnreadPlaces, type UnreadPlace } from './readings.ts'
import { findFirst, listIds, listTopicIds, listTopics } from './scans.ts'

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

/** The unread messages of one topic, or of one direct conversation. */
export interface UnreadConversation {
  readonly recipientId: number
  /** Null for a direct conversation. */
  readonly channelId: number | null
  /** As its newest unread message spells it. */
  topic: string
  readonly topicKey: string
  /** Ascending. */
  readonly messageIds: number[]
}

export interface Unread {
  readonly conversations: UnreadConversation[]
  /** How many messages are listed. */
  readonly count: number
  /** There are older ones beyond the limit. */
  readonly olderMissing: boolean
}

/** The user's newest unread messages, `limit` at most, by conversation. */
export function unread(read: Read, userId: number, limit = unreadLimit): Unread {
  const places = listUnreadPlaces(read, userId)
  const found: Found[] = []
  let count = 0
  let below = places.reduce((top, { gaps }) => Math.max(top, gaps.at(-1) ?? 0), 0)
  // Windows of ids from the newest down, so that millions of unread messages cost little more
  // than the limit; they grow for those who have few that lie far back.
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
  const conversations = converse(found.reverse(), Math.max(0, count - limit))
  return { conversations, count: Math.min(count, limit), olderMissing: count > limit }
}

/** What one window of ids has of one recipient. */
interface Found {
  readonly place: UnreadPlace
  readonly rows: [id: number, topic: string][]
}

/** Sorts messages by conversation. @param found oldest window first */
function converse(found: readonly Found[], omitOldest: number): UnreadConversation[] {
  const oldest = omitOldest > 0 ? idAfter(found, omitOldest) : 0
  const conversations: UnreadConversation[] = []
  const ofRecipients = new Map<number, Map<string, UnreadConversation>>()
  for (const { place, rows } of found) {
    const { recipientId, channelId } = place
    // By every spelling, as well as by key: most messages of a topic spell it alike.
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

/** The lowest id once the `many` lowest are left out. */
function idAfter(found: readonly Found[], many: number): number {
  return Float64Array.from(found.flatMap(({ rows }) => rows.map(([id]) => id))).sort()[many] ?? 0
}

/** Ids of the user's unread messages, ascending: all, those of a recipient, or of a topic in it. */
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

/** Id of the user's oldest unread message, of all or of one recipient; undefined if none is. */
export function firstUnread(read: Read, userId: number, recipientId?: number): number | undefined {
  if (recipientId !== undefined) {
    return findFirst(read, recipientId, findReading(read, userId, recipientId)?.gaps ?? [])
  }
  let first: number | undefined
  for (const { recipientId: id, gaps } of listUnreadPlaces(read, userId)) {
    first = findFirst(read, id, intersect(gaps, span(0, first ?? ceiling))) ?? first
  }
  return first
}

/** How many unread messages each topic of a channel has for the user, by topic key. */
export function countByTopic(read: Read, userId: number, recipientId: number): Map<string, number> {
  const counts = new Map<string, number>()
  const gaps = findReading(read, userId, recipientId)?.gaps ?? []
  for (const [, topic] of listTopics(read, recipientId, gaps)) {
    const key = topicKey(topic)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
