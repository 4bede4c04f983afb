import { topicKey } from '#features/foundation/recipients/topics.rules.ts'
import { contains, intersect, type Ranges } from '#platform/ranges.ts'
import type { Read } from '#platform/store/store.ts'
import {
  findReading,
  listReadings,
  listReadingsOfUsers,
  listUnreadPlaces,
} from './readings.queries.ts'
import { listIds, listTopicIds, listTopics, type Topics } from './scans.queries.ts'

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

/**
 * `isRead` for many messages: caches each recipient's state, so use it within one turn only.
 *
 * @param recipientIds those that are read immediately; others are when they are asked for
 */
export function readChecker(
  read: Read,
  userId: number,
  recipientIds: readonly number[] = [],
): (recipientId: number, messageId: number) => boolean {
  const known = new Map<number, Ranges>(recipientIds.map((id) => [id, []]))
  const readings = recipientIds.length > 0 ? listReadings(read, userId, recipientIds) : []
  for (const { recipientId, gaps } of readings) known.set(recipientId, gaps)
  return (recipientId, messageId) => {
    let gaps = known.get(recipientId)
    if (gaps === undefined) {
      gaps = findReading(read, userId, recipientId)?.gaps ?? []
      known.set(recipientId, gaps)
    }
    return !contains(gaps, messageId)
  }
}

/** Those among these users who have not read a message, as `isRead` has it. */
export function listNonReaders(
  read: Read,
  recipientId: number,
  messageId: number,
  userIds: readonly number[],
): Set<number> {
  const readings = listReadingsOfUsers(read, recipientId, userIds)
  const unread = readings.filter(({ gaps }) => contains(gaps, messageId))
  return new Set(unread.map(({ userId }) => userId))
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
  /** Whether the limit left out older ones. */
  readonly olderMissing: boolean
}

/** The user's newest unread messages by conversation, at most `limit`. */
export function unread(read: Read, userId: number, limit = unreadLimit): Unread {
  const places = listUnreadPlaces(read, userId)
  const found: Topics[] = []
  let count = 0
  let below = places.reduce((top, { gaps }) => Math.max(top, gaps.at(-1) ?? 0), 0)
  // Scans windows of ids from the newest down, so that millions of unread messages cost little
  // more than the limit. Windows grow, for users whose few unread messages are old.
  for (let size = limit; below > 0 && count <= limit; size = Math.min(2 * size, 8 * limit)) {
    const window: Ranges = [Math.max(0, below - size), below]
    const parts = places.map(({ recipientId, gaps }) => ({
      recipientId,
      set: intersect(gaps, window),
    }))
    const topics = listTopics(read, parts)
    found.push(topics)
    count += topics.ids.length
    below -= size
  }
  const channels = new Map(places.map(({ recipientId, channelId }) => [recipientId, channelId]))
  const conversations = groupByConversation(found.reverse(), channels, count - limit)
  return { conversations, olderMissing: count > limit }
}

/**
 * @param found oldest messages first
 * @param channels by recipient, null for a direct conversation
 * @param omitOldest the number of oldest messages to leave out, if any
 */
function groupByConversation(
  found: readonly Topics[],
  channels: ReadonlyMap<number, number | null>,
  omitOldest: number,
): UnreadConversation[] {
  const oldest = omitOldest > 0 ? idAfter(found, omitOldest) : 0
  const conversations: UnreadConversation[] = []
  // Keyed by spelling and by topic key, to compute the key only once for each spelling.
  const ofRecipients = new Map<number, Map<string, UnreadConversation>>()
  for (const { recipientIds, ids, topics } of found) {
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i] ?? 0
      if (id < oldest) continue
      const recipientId = recipientIds[i] ?? 0
      const topic = topics[i] ?? ''
      let known = ofRecipients.get(recipientId)
      if (!known) {
        known = new Map()
        ofRecipients.set(recipientId, known)
      }
      let conversation = known.get(topic)
      if (!conversation) {
        const key = topicKey(topic)
        conversation = known.get(key)
        if (!conversation) {
          const channelId = channels.get(recipientId) ?? null
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
function idAfter(found: readonly Topics[], count: number): number {
  return Float64Array.from(found.flatMap(({ ids }) => ids)).sort()[count] ?? 0
}

/** Ids of the user's unread messages, ascending: all, or those of one recipient or one topic. */
export function unreadIds(
  read: Read,
  userId: number,
  place?: { recipientId: number; topicKey?: string },
): number[] {
  if (!place) {
    const places = listUnreadPlaces(read, userId)
    const parts = places.map(({ recipientId, gaps }) => ({ recipientId, set: gaps }))
    return listIds(read, ...parts).sort((a, b) => a - b)
  }
  const { recipientId, topicKey } = place
  const gaps = findReading(read, userId, recipientId)?.gaps ?? []
  if (topicKey === undefined) return listIds(read, { recipientId, set: gaps })
  return listTopicIds(read, recipientId, topicKey, gaps)
}
