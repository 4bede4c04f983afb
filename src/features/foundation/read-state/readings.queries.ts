import { ownMessages } from '#features/foundation/own-history/access.ts'
import { covers, everything, intersect, type Ranges, span, subtract } from '#platform/ranges.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'
import { decode } from './codec.ts'
import { wholeRanges } from './states.queries.ts'

/**
 * What a user has read in a recipient; only subscribers and participants of a conversation have
 * one. The last two properties are computed on access: users who are caught up need neither.
 */
export interface Reading {
  readonly userId: number
  readonly recipientId: number
  /** Null for a direct conversation. */
  readonly channelId: number | null
  /** The ids that were read, and ids among them that are not messages of this recipient. */
  readonly ranges: Ranges
  /** The ids that can be unread: all, or with protected history the user's own. */
  readonly possible: Ranges
  /** The ids that are unread if they are messages of this recipient. */
  readonly gaps: Ranges
}

interface ReadingRow {
  userId: number
  recipientId: number
  channelId: number | null
  historyPublic: number
  ranges: Uint8Array | null
}

/** @param user SQL for the ID of the user, `from` for recipients `r`, `condition` for which of them */
const readingsIn = (user: string, from: string, condition: string) => `
  SELECT ${user} AS userId, r.id AS recipientId, r.channel_id AS channelId,
    coalesce(c.history_public, 1) AS historyPublic, ${wholeRanges} AS ranges
  FROM ${from}
  LEFT JOIN channels c ON c.id = r.channel_id
  LEFT JOIN read_state s ON s.user_id = ${user} AND s.recipient_id = r.id
  WHERE ${condition} AND (
    EXISTS (SELECT 1 FROM subscriptions b
      WHERE b.user_id = ${user} AND b.channel_id = r.channel_id AND b.is_active)
    OR EXISTS (SELECT 1 FROM direct_members d
      WHERE d.user_id = ${user} AND d.recipient_id = r.id))`

const readingOf = preparedSql<ReadingRow>(
  readingsIn('@userId', 'recipients r', 'r.id = @recipientId'),
)
const someReadings = preparedSql<ReadingRow>(
  readingsIn('@userId', 'recipients r', 'r.id IN (SELECT value FROM json_each(@recipientIds))'),
)

/** The user's reading of a recipient; undefined if nothing there can be unread for the user. */
export function findReading(read: Read, userId: number, recipientId: number): Reading | undefined {
  const row = readingOf(read).get({ userId, recipientId })
  return row && new StoredReading(read, row)
}

/** The same for many recipients, of those that have one. */
export function listReadings(
  read: Read,
  userId: number,
  recipientIds: readonly number[],
): Reading[] {
  const rows = someReadings(read).all({ userId, recipientIds: JSON.stringify(recipientIds) })
  return rows.map((row) => new StoredReading(read, row))
}

const readingsOfUsers = preparedSql<ReadingRow>(
  readingsIn('u.value', 'json_each(@userIds) u CROSS JOIN recipients r', 'r.id = @recipientId'),
)

/** The readings of a recipient of those among these users who have one. */
export function listReadingsOfUsers(
  read: Read,
  recipientId: number,
  userIds: readonly number[],
): Reading[] {
  const rows = readingsOfUsers(read).all({ recipientId, userIds: JSON.stringify(userIds) })
  return rows.map((row) => new StoredReading(read, row))
}

const readingsOf = preparedSql<ReadingRow & { newest: number | null }>(`
  SELECT @userId AS userId, r.recipient_id AS recipientId, r.channel_id AS channelId,
    r.history_public AS historyPublic, ${wholeRanges} AS ranges,
    (SELECT max(m.id) FROM messages m WHERE m.recipient_id = r.recipient_id) AS newest
  FROM (
    SELECT c.recipient_id, c.id AS channel_id, c.history_public
      FROM subscriptions b JOIN channels c ON c.id = b.channel_id
      WHERE b.user_id = @userId AND b.is_active
    UNION ALL
    SELECT d.recipient_id, NULL, 1 FROM direct_members d WHERE d.user_id = @userId
  ) r
  LEFT JOIN read_state s ON s.user_id = @userId AND s.recipient_id = r.recipient_id`)

/** A recipient that probably has unread messages; `gaps` ends at its newest message. */
export type UnreadPlace = Pick<Reading, 'recipientId' | 'channelId' | 'ranges' | 'gaps'>

/** All recipients where the user has unread messages, and rarely one whose gaps have no message. */
export function listUnreadPlaces(read: Read, userId: number): UnreadPlace[] {
  const places: UnreadPlace[] = []
  for (const row of readingsOf(read).all({ userId })) {
    if (row.newest === null) continue
    const reading = new StoredReading(read, row)
    const { recipientId, channelId, ranges } = reading
    if (covers(ranges, 0, row.newest + 1)) continue
    const gaps = intersect(reading.gaps, span(0, row.newest + 1))
    if (gaps.length > 0) places.push({ recipientId, channelId, ranges, gaps })
  }
  return places
}

const subscribersOf = preparedSql<ReadingRow>(`
  SELECT b.user_id AS userId, c.recipient_id AS recipientId, c.id AS channelId,
    c.history_public AS historyPublic, ${wholeRanges} AS ranges
  FROM channels c
  JOIN subscriptions b ON b.channel_id = c.id AND b.is_active
  LEFT JOIN read_state s ON s.user_id = b.user_id AND s.recipient_id = c.recipient_id
  WHERE c.recipient_id = @recipientId`)

/** The readings of all subscribers of a channel, by user id. */
export function listSubscriberReadings(read: Read, recipientId: number): Map<number, Reading> {
  const rows = subscribersOf(read).all({ recipientId })
  return new Map(rows.map((row) => [row.userId, new StoredReading(read, row)]))
}

/** A class, because V8 keeps accessors of an object's own until a full garbage collection. */
class StoredReading implements Reading {
  readonly userId: number
  readonly recipientId: number
  readonly channelId: number | null
  readonly ranges: Ranges
  readonly #read: Read
  readonly #isProtected: boolean

  constructor(read: Read, { userId, recipientId, channelId, historyPublic, ranges }: ReadingRow) {
    this.userId = userId
    this.recipientId = recipientId
    this.channelId = channelId
    this.ranges = ranges ? decode(ranges) : []
    this.#read = read
    this.#isProtected = channelId !== null && !historyPublic
  }

  get possible(): Ranges {
    const { channelId, userId } = this
    if (!this.#isProtected || channelId === null) return everything
    return ownMessages(this.#read, userId, channelId)
  }

  get gaps(): Ranges {
    return subtract(this.possible, this.ranges)
  }
}
