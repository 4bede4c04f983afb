import { type UnreadConversation, unread } from '#features/foundation/read-state/queries.ts'
import { mutingReader } from '#features/messaging/user-topics/muting.queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import { flagBits } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import { historyReader } from './queries.ts'

/** Unread messages of one conversation. */
export type CountedConversation = Pick<
  UnreadConversation,
  'recipientId' | 'channelId' | 'topicKey' | 'messageIds'
>

/** Which unread messages count for a user. Everything that counts them asks this. */
export interface Counting {
  /** Whether all messages of a conversation count: not those of muted topics and channels. */
  counts(conversation: CountedConversation): boolean
  /**
   * The ids of those that count as mentions, ascending: that mention the user personally, in their
   * group, or where nothing is muted by a wildcard.
   *
   * @source Zulip API, "Register an event queue", `unread_msgs`
   */
  mentions(conversations: readonly CountedConversation[]): number[]
}

export function countingFor(read: Read, userId: number): Counting {
  const isMuted = mutingReader(read, userId)
  const counts = ({ channelId, topicKey }: CountedConversation) =>
    channelId === null || !isMuted(channelId, topicKey)
  return { counts, mentions: (all) => listMentions(read, userId, all, counts) }
}

// Reads the channel wildcards of all recipients from their partial index: there are few.
const mentions = preparedSql<{ id: number; isPersonal: number; isOfChannel: number }>(`
  SELECT message_id AS id, flags & ${flagBits.mentioned} AS isPersonal, 0 AS isOfChannel
  FROM message_flags WHERE user_id = @userId AND message_id >= @from AND flags & @bits
  UNION ALL
  SELECT id, 0, 1 FROM messages INDEXED BY messages_wildcard WHERE channel_wildcard AND id >= @from
`)

function listMentions(
  read: Read,
  userId: number,
  conversations: readonly CountedConversation[],
  counts: Counting['counts'],
): number[] {
  const bits = flagBits.mentioned | flagBits.topic_wildcard_mentioned
  let from = Number.MAX_SAFE_INTEGER
  for (const { messageIds } of conversations) from = Math.min(from, messageIds[0] ?? from)
  const personal = new Set<number>()
  const ofTopic = new Set<number>()
  const ofChannel = new Set<number>()
  for (const { id, isPersonal, isOfChannel } of mentions(read).all({ userId, from, bits })) {
    const set = isPersonal ? personal : isOfChannel ? ofChannel : ofTopic
    set.add(id)
  }
  if (personal.size + ofTopic.size + ofChannel.size === 0) return []
  // A channel wildcard mentions those who received the message.
  const wide = conversations.flatMap(({ recipientId, messageIds }) =>
    messageIds.filter((id) => ofChannel.has(id)).map((id) => ({ id, recipientId })),
  )
  const received = historyReader(read, userId, wide)
  const found = conversations.flatMap((conversation) => {
    const { recipientId, messageIds } = conversation
    const isLoud = counts(conversation)
    return messageIds.filter((id) => {
      if (personal.has(id)) return true
      return isLoud && (ofTopic.has(id) || (ofChannel.has(id) && received({ recipientId, id })))
    })
  })
  return found.sort((a, b) => a - b)
}

/** The user's newest unread messages, at most `limit`, and how they count. */
export function countUnread(read: Read, userId: number, limit?: number) {
  const { conversations, olderMissing } = unread(read, userId, limit)
  return { conversations, olderMissing, ...countingFor(read, userId) }
}
