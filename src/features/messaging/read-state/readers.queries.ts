import { memo } from '#platform/memo.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/write.ts'
import { includes, newestRange, newestRangeBytes } from './codec.ts'
import { wholeRanges } from './states.queries.ts'

interface ReaderRow {
  userId: number
  ranges: Uint8Array
}

// Users who subscribed later never had the message unread, so they do not count as readers.
const inChannel = preparedSql<ReaderRow>(`
  SELECT b.user_id AS userId, ${wholeRanges} AS ranges
  FROM subscription_spans b
  JOIN channels c ON c.id = b.channel_id
  JOIN read_state s ON s.user_id = b.user_id AND s.recipient_id = c.recipient_id
  WHERE b.channel_id = @channelId AND b.from_message <= @messageId
    AND (b.until_message IS NULL OR b.until_message > @messageId)
  ORDER BY b.user_id`)

/** Ids of the users who were subscribed when a message was sent and have read it; ascending. */
export function listChannelReaders(read: Read, channelId: number, messageId: number): number[] {
  return readersAmong(inChannel(read).all({ channelId, messageId }), messageId)
}

const inConversation = preparedSql<ReaderRow>(`
  SELECT d.user_id AS userId, ${wholeRanges} AS ranges
  FROM direct_members d
  JOIN read_state s ON s.user_id = d.user_id AND s.recipient_id = d.recipient_id
  WHERE d.recipient_id = @recipientId
  ORDER BY d.user_id`)

/** Ids of the users who have read a message of a direct conversation; ascending. */
export function listDirectReaders(read: Read, recipientId: number, messageId: number): number[] {
  return readersAmong(inConversation(read).all({ recipientId }), messageId)
}

function readersAmong(rows: readonly ReaderRow[], messageId: number): number[] {
  return rows.filter(({ ranges }) => includes(ranges, messageId)).map(({ userId }) => userId)
}

const present = preparedSql<{ found: number }>(`
  SELECT 1 AS found FROM subscription_spans
  WHERE user_id = @userId AND channel_id = @channelId AND from_message <= @messageId
    AND (until_message IS NULL OR until_message > @messageId)`)

/** Whether a user was subscribed to a channel when the message of this id was sent. */
export function wasSubscribedAt(
  read: Read,
  userId: number,
  channelId: number,
  messageId: number,
): boolean {
  return present(read).get({ userId, channelId, messageId }) !== undefined
}

// One row of JSON: handing over a row and its bytes takes longer than finding it.
const subscribedSince = prepared((db) =>
  db.$client
    .prepare<[userIds: string, channelId: number, messageId: number], [string, string]>(
      `SELECT json_group_array(b.user_id),
         json_group_array(hex(substr(s.ranges, 1, ${newestRangeBytes})))
       FROM json_each(?) u
       JOIN channels c ON c.id = ?
       CROSS JOIN subscription_spans b
         ON b.user_id = u.value AND b.channel_id = c.id
         AND b.from_message <= ? AND b.until_message IS NULL
       LEFT JOIN read_state s ON s.user_id = b.user_id AND s.recipient_id = c.recipient_id`,
    )
    .raw(),
)

/**
 * Whether those among these users who are subscribed to a channel since before a message have read
 * it. Those of whom only their older ranges can tell are left out.
 */
export function listNewestReadings(
  read: Read,
  channelId: number,
  messageId: number,
  userIds: readonly number[],
): Map<number, boolean> {
  const row = subscribedSince(read).get(JSON.stringify(userIds), channelId, messageId)
  const ids: number[] = JSON.parse(row?.[0] ?? '[]')
  const starts: string[] = JSON.parse(row?.[1] ?? '[]')
  // People who are caught up, or who never read, have the same.
  const hasRead = memo((start: string) => {
    const newest = newestRange(Buffer.from(start, 'hex'))
    return newest && (messageId >= newest.from ? messageId < newest.to : undefined)
  })
  const readings = new Map<number, boolean>()
  for (const [i, userId] of ids.entries()) {
    const known = hasRead(starts[i] ?? '')
    if (known !== undefined) readings.set(userId, known)
  }
  return readings
}
