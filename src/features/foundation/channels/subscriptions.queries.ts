import { and, asc, eq, sql } from 'drizzle-orm'
import { columnsOf, derived } from '#platform/store/derived.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { subscriptions, users } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Subscription = typeof subscriptions.$inferSelect

const byPair = prepared((db) =>
  db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.userId, sql.placeholder('userId')),
        eq(subscriptions.channelId, sql.placeholder('channelId')),
      ),
    )
    .prepare(),
)

/** A user's subscription to a channel, active or ended. */
export function findSubscription(
  read: Read,
  userId: number,
  channelId: number,
): Subscription | undefined {
  return byPair(read).get({ userId, channelId })
}

const ofUser = prepared((db) =>
  db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, sql.placeholder('userId')))
    .orderBy(asc(subscriptions.channelId))
    .prepare(),
)

/** All subscriptions of a user, active or ended, by channel id. */
export function listSubscriptions(read: Read, userId: number): Subscription[] {
  return ofUser(read).all({ userId })
}

const colorsOf = prepared((db) =>
  db.$client
    .prepare<[number], string>('SELECT color FROM subscriptions WHERE user_id = ? AND is_active')
    .pluck(),
)

/** The colors of a user's active subscriptions. */
export function listColors(read: Read, userId: number): Set<string> {
  return new Set(colorsOf(read).all(userId))
}

const mutedNow = preparedSql<{ found: number }>(`
  SELECT 1 AS found FROM subscriptions
  WHERE user_id = @userId AND channel_id = @channelId AND is_active AND is_muted`)

/** Whether a user is subscribed to a channel and has muted it. */
export function isChannelMuted(read: Read, userId: number, channelId: number): boolean {
  return mutedNow(read).get({ userId, channelId }) !== undefined
}

const upsertOne = preparedSql(`
  INSERT INTO subscriptions (user_id, channel_id, is_active, color, push_notifications)
  VALUES (@userId, @channelId, 1, @color, @pushNotifications)
  ON CONFLICT (user_id, channel_id) DO UPDATE SET is_active = 1 WHERE NOT is_active`)

/**
 * Subscribes a user. A user who subscribes again keeps the previous color and settings.
 *
 * @returns whether the user was not subscribed
 */
export function activateSubscription(
  tx: Tx,
  row: Pick<Subscription, 'userId' | 'channelId' | 'color' | 'pushNotifications'>,
): boolean {
  const { pushNotifications } = row
  const { changes } = upsertOne(tx).run({
    ...row,
    pushNotifications: pushNotifications === null ? null : Number(pushNotifications),
  })
  return changes > 0
}

const deactivateOne = preparedSql(`
  UPDATE subscriptions SET is_active = 0 WHERE user_id = @userId AND channel_id = @channelId`)

export function deactivateSubscription(tx: Tx, userId: number, channelId: number): void {
  deactivateOne(tx).run({ userId, channelId })
}

/** What a user may change of a subscription. Undefined leaves a property unchanged. */
export interface SubscriptionChanges {
  readonly color?: string
  readonly isMuted?: boolean
  readonly pinToTop?: boolean
  readonly desktopNotifications?: boolean
  readonly audibleNotifications?: boolean
  readonly pushNotifications?: boolean
  readonly emailNotifications?: boolean
  readonly wildcardMentionsNotify?: boolean
}

const changeOne = preparedSql(`
  UPDATE subscriptions SET
    color = coalesce(@color, color),
    is_muted = coalesce(@isMuted, is_muted),
    pin_to_top = coalesce(@pinToTop, pin_to_top),
    desktop_notifications = coalesce(@desktopNotifications, desktop_notifications),
    audible_notifications = coalesce(@audibleNotifications, audible_notifications),
    push_notifications = coalesce(@pushNotifications, push_notifications),
    email_notifications = coalesce(@emailNotifications, email_notifications),
    wildcard_mentions_notify = coalesce(@wildcardMentionsNotify, wildcard_mentions_notify)
  WHERE user_id = @userId AND channel_id = @channelId`)

export function updateSubscription(
  tx: Tx,
  userId: number,
  channelId: number,
  changes: SubscriptionChanges,
): void {
  changeOne(tx).run({
    userId,
    channelId,
    color: changes.color ?? null,
    isMuted: bound(changes.isMuted),
    pinToTop: bound(changes.pinToTop),
    desktopNotifications: bound(changes.desktopNotifications),
    audibleNotifications: bound(changes.audibleNotifications),
    pushNotifications: bound(changes.pushNotifications),
    emailNotifications: bound(changes.emailNotifications),
    wildcardMentionsNotify: bound(changes.wildcardMentionsNotify),
  })
}

/** A flag as SQLite stores it. */
function bound(flag: boolean | undefined): number | null {
  return flag === undefined ? null : Number(flag)
}

const reopen = preparedSql(`
  UPDATE subscription_spans SET until_message = NULL
  WHERE user_id = @userId AND channel_id = @channelId AND until_message >= @fromMessage`)

const insertSpan = preparedSql(`
  INSERT INTO subscription_spans (user_id, channel_id, from_message)
  VALUES (@userId, @channelId, @fromMessage)`)

/** Opens a span, or reopens the last one if no message was sent since it ended. */
export function openSpan(tx: Tx, userId: number, channelId: number, fromMessage: number): void {
  const span = { userId, channelId, fromMessage }
  if (reopen(tx).run(span).changes === 0) insertSpan(tx).run(span)
}

const unlessCovered = `NOT EXISTS (
  SELECT 1 FROM subscription_spans
  WHERE user_id = @userId AND channel_id = @channelId AND from_message <= @messageId
    AND (until_message IS NULL OR until_message > @messageId))`

const extendSpan = preparedSql(`
  UPDATE subscription_spans SET until_message = @messageId + 1
  WHERE user_id = @userId AND channel_id = @channelId AND until_message = @messageId
    AND ${unlessCovered}`)

const insertShortSpan = preparedSql(`
  INSERT INTO subscription_spans (user_id, channel_id, from_message, until_message)
  SELECT @userId, @channelId, @messageId, @messageId + 1 WHERE ${unlessCovered}`)

/** Adds one message to the history of a user who is not subscribed. */
export function addToHistory(tx: Tx, userId: number, channelId: number, messageId: number): void {
  const one = { userId, channelId, messageId }
  if (extendSpan(tx).run(one).changes === 0) insertShortSpan(tx).run(one)
}

const endSpan = preparedSql(`
  UPDATE subscription_spans SET until_message = @untilMessage
  WHERE user_id = @userId AND channel_id = @channelId AND until_message IS NULL`)

const dropEmpty = preparedSql(`
  DELETE FROM subscription_spans
  WHERE user_id = @userId AND channel_id = @channelId AND from_message >= until_message`)

/** Closes the open span, and deletes it if no message was sent in it. */
export function closeSpan(tx: Tx, userId: number, channelId: number, untilMessage: number): void {
  endSpan(tx).run({ userId, channelId, untilMessage })
  dropEmpty(tx).run({ userId, channelId })
}

const allSubscribers = prepared((db) =>
  db.$client
    .prepare<[number], number>(
      'SELECT user_id FROM subscriptions WHERE channel_id = ? AND is_active = 1 ORDER BY user_id',
    )
    .pluck(),
)

/** Ids of a channel's subscribers, including deactivated users, ascending. */
export function allSubscriberIds(read: Read, channelId: number): number[] {
  return allSubscribers(read).all(channelId)
}

const activeUsers = prepared((db) =>
  db.$client
    .prepare<[number], number>(
      `SELECT id FROM users WHERE bot_type IS NOT NULL AND is_active
       UNION
       SELECT u.id FROM presence p CROSS JOIN users u ON u.id = p.user_id AND u.is_active
       WHERE max(coalesce(p.active_at, 0), coalesce(p.idle_at, 0)) >= ?
       ORDER BY 1`,
    )
    .pluck(),
)

const subscribersAmong = prepared((db) =>
  db.$client
    .prepare<[string, number], number>(
      `SELECT s.user_id FROM json_each(?) u CROSS JOIN subscriptions s
         ON s.channel_id = ? AND s.is_active = 1 AND s.user_id = u.value`,
    )
    .pluck(),
)

/** The precision of the start of the time that counts as recent, in seconds. */
const sinceStep = 600
const mostLists = 200

const userColumns = columnsOf(users, 'is_active', 'bot_type')

/** Found once for all channels. */
const recentUsers = derived(
  [userColumns],
  (read, since: `${number}`) => JSON.stringify(activeUsers(read).all(Number(since))),
  1,
)

const recentSubscribers = derived(
  [subscriptions, userColumns],
  (read, key: `${number} ${number}`) => {
    const [channelId, since] = key.split(' ')
    return subscribersAmong(read).all(recentUsers(read, `${Number(since)}`), Number(channelId))
  },
  mostLists,
)

/**
 * Ids of a channel's active subscribers who are bots or were present recently, ascending. Users who
 * have just become present may be missing for ten minutes.
 *
 * @param since seconds since the epoch
 */
export function listRecentlyActiveSubscribers(
  read: Read,
  channelId: number,
  since: number,
): number[] {
  return recentSubscribers(read, `${channelId} ${since - (since % sinceStep)}`)
}
