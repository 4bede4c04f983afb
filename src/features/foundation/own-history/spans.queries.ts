import { ceiling, fromSpans, type Ranges } from '#platform/ranges.ts'
import { columnsOf } from '#platform/store/derived.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { subscriptionSpans, subscriptions } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'

interface SpanRow {
  from: number
  until: number | null
}

function toRanges(spans: readonly SpanRow[]): Ranges {
  return fromSpans(spans.map(({ from, until }) => [from, until ?? ceiling]))
}

const spansOf = preparedSql<SpanRow>(`
  SELECT from_message AS "from", until_message AS until FROM subscription_spans
  WHERE user_id = @userId AND channel_id = @channelId ORDER BY from_message`)

/** The message IDs during which a user was subscribed to a channel. */
export function subscribedRanges(read: Read, userId: number, channelId: number): Ranges {
  return toRanges(spansOf(read).all({ userId, channelId }))
}

const spansIn = preparedSql<SpanRow & { channelId: number }>(`
  SELECT channel_id AS channelId, from_message AS "from", until_message AS until
  FROM subscription_spans
  WHERE user_id = @userId AND channel_id IN (SELECT value FROM json_each(@channelIds))
  ORDER BY channel_id, from_message`)

/** The same for many channels, by their IDs. */
export function listSubscribedRanges(
  read: Read,
  userId: number,
  channelIds: readonly number[],
): Map<number, Ranges> {
  const rows = spansIn(read).all({ userId, channelIds: JSON.stringify(channelIds) })
  return grouped(rows, ({ channelId }) => channelId)
}

const spansOfUsers = preparedSql<SpanRow & { userId: number }>(`
  SELECT user_id AS userId, from_message AS "from", until_message AS until
  FROM subscription_spans
  WHERE channel_id = @channelId AND user_id IN (SELECT value FROM json_each(@userIds))
  ORDER BY user_id, from_message`)

/** The same for many users in one channel, by their IDs. */
export function listSubscribedRangesOf(
  read: Read,
  channelId: number,
  userIds: readonly number[],
): Map<number, Ranges> {
  const rows = spansOfUsers(read).all({ channelId, userIds: JSON.stringify(userIds) })
  return grouped(rows, ({ userId }) => userId)
}

const spansOfAll = preparedSql<SpanRow & { userId: number }>(`
  SELECT user_id AS userId, from_message AS "from", until_message AS until
  FROM subscription_spans WHERE channel_id = @channelId ORDER BY user_id, from_message`)

/** The same for everyone who was ever subscribed to a channel. */
export function listAllSubscribedRanges(read: Read, channelId: number): Map<number, Ranges> {
  return grouped(spansOfAll(read).all({ channelId }), ({ userId }) => userId)
}

/** @param rows those of each key in succession */
function grouped<Row extends SpanRow>(
  rows: readonly Row[],
  keyOf: (row: Row) => number,
): Map<number, Ranges> {
  const spans = new Map<number, SpanRow[]>()
  for (const row of rows) {
    const own = spans.get(keyOf(row))
    if (own) own.push(row)
    else spans.set(keyOf(row), [row])
  }
  return new Map(Array.from(spans, ([key, own]) => [key, toRanges(own)]))
}

/** A channel to which a user is or was subscribed. */
export interface SubscribedPlace {
  readonly channelId: number
  /** Whether the user is subscribed now. */
  readonly isActive: boolean
  readonly spans: Ranges
}

const ownSpans = prepared((db) =>
  db.$client
    .prepare<[number], [number, 0 | 1, number, number | null]>(
      `SELECT s.channel_id,
         coalesce((SELECT b.is_active FROM subscriptions b
           WHERE b.user_id = s.user_id AND b.channel_id = s.channel_id), 0),
         s.from_message, s.until_message
       FROM subscription_spans s WHERE s.user_id = ? ORDER BY s.channel_id, s.from_message`,
    )
    .raw(),
)

/** The tables that `listSubscribedPlaces` reads. */
export const placeTables = [subscriptionSpans, columnsOf(subscriptions, 'is_active')]

/** All channels to which a user is or was subscribed, by ID. */
export function listSubscribedPlaces(read: Read, userId: number): SubscribedPlace[] {
  const places: (Omit<SubscribedPlace, 'spans'> & { rows: SpanRow[] })[] = []
  for (const [channelId, isActive, from, until] of ownSpans(read).all(userId)) {
    const last = places.at(-1)
    if (last?.channelId === channelId) last.rows.push({ from, until })
    else places.push({ channelId, isActive: isActive === 1, rows: [{ from, until }] })
  }
  return places.map(({ rows, ...place }) => ({ ...place, spans: toRanges(rows) }))
}
