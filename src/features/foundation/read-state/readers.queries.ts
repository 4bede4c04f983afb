import { listPathsOf } from '#features/foundation/own-history/paths.queries.ts'
import { memo } from '#platform/memo.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'
import { includes, newestRange, newestRangeBytes } from './codec.ts'
import { wholeRanges } from './states.queries.ts'

interface ReaderRow {
  userId: number
  ranges: Uint8Array
}

const inChannel = preparedSql<ReaderRow>(`
  SELECT s.user_id AS userId, ${wholeRanges} AS ranges
  FROM channels c JOIN read_state s ON s.recipient_id = c.recipient_id
  WHERE c.id = @channelId AND NOT EXISTS (
    SELECT 1 FROM json_each(@arrivals) a WHERE NOT EXISTS (
      SELECT 1 FROM subscription_spans b
      WHERE b.user_id = s.user_id AND b.channel_id = (a.value ->> 0)
        AND b.from_message <= (a.value ->> 1)
        AND (b.until_message IS NULL OR b.until_message > (a.value ->> 1))))
  ORDER BY s.user_id`)

/**
 * Ids of the users who received a message in a channel and have read it; ascending. To everyone who
 * was not there when it was sent, or when it was moved, it counts as read from then on, which says
 * nothing about them.
 */
export function listChannelReaders(read: Read, channelId: number, messageId: number): number[] {
  const path = listPathsOf(read, [messageId]).get(messageId)
  const first = path ? path.firstChannelId : channelId
  if (first === null) return []
  const arrivals = [[first, messageId], ...(path?.arrivals ?? []).map((a) => [a.channelId, a.at])]
  const rows = inChannel(read).all({ channelId, arrivals: JSON.stringify(arrivals) })
  return readersAmong(rows, messageId)
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
