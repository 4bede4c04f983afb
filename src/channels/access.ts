import { and, asc, eq, sql } from 'drizzle-orm'
import { prepared } from '#store/prepared.ts'
import { subscriptionSpans } from '#store/schema.ts'
import type { Read } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { type Channel, canAccessContent } from './queries.ts'

/** Messages with `from <= id < until`; null: up to now. */
export interface Span {
  readonly from: number
  readonly until: number | null
}

const spansOf = prepared((db) =>
  db
    .select({ from: subscriptionSpans.fromMessage, until: subscriptionSpans.untilMessage })
    .from(subscriptionSpans)
    .where(
      and(
        eq(subscriptionSpans.userId, sql.placeholder('userId')),
        eq(subscriptionSpans.channelId, sql.placeholder('channelId')),
      ),
    )
    .orderBy(asc(subscriptionSpans.fromMessage))
    .prepare(),
)

/** When a user was subscribed to a channel, in message ids, oldest first. */
export function listSpans(read: Read, userId: number, channelId: number): Span[] {
  return spansOf(read).all({ userId, channelId })
}

/**
 * Which messages of a channel a user may read: all of a history that is shared with subscribers,
 * the time of the own subscriptions of one that is protected, nothing without content access.
 */
export function visibleHistory(read: Read, user: User, channel: Channel): 'all' | readonly Span[] {
  if (!canAccessContent(read, user, channel)) return []
  return channel.historyPublic ? 'all' : listSpans(read, user.id, channel.id)
}

/** Whether a user may read one message of a channel. */
export function mayReadMessage(
  read: Read,
  user: User,
  channel: Channel,
  messageId: number,
): boolean {
  const history = visibleHistory(read, user, channel)
  return (
    history === 'all' ||
    history.some(({ from, until }) => from <= messageId && (until === null || messageId < until))
  )
}
