import { asc, eq, lt, min } from 'drizzle-orm'
import { seconds } from '#platform/clock.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import {
  flagBits,
  notificationParts,
  notifications,
  type VisibilityPolicy,
} from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Notification = typeof notifications.$inferSelect

const wanting = preparedSql<{ userId: number }>(`
  SELECT user_id AS userId FROM user_topics INDEXED BY user_topics_followed
  WHERE channel_id = @channelId AND topic_key = @topicKey AND policy = 3
  UNION
  SELECT user_id FROM subscriptions INDEXED BY subscriptions_notified
  WHERE channel_id = @channelId AND is_active AND (push_notifications OR email_notifications)
  UNION
  SELECT s.user_id FROM user_settings u INDEXED BY user_settings_notified
  CROSS JOIN subscriptions s ON s.user_id = u.user_id AND s.channel_id = @channelId
  WHERE u.name IN ('enable_stream_push_notifications', 'enable_stream_email_notifications')
    AND u.value = 'true' AND s.is_active
`)

/**
 * Ids of the users who may want to be notified of all messages of a topic: they follow it, or
 * turned notifications on for the channel or for all channels.
 */
export function listWanting(read: Read, channelId: number, topicKey: string): number[] {
  return wanting(read)
    .all({ channelId, topicKey })
    .map(({ userId }) => userId)
}

/** The settings of a subscriber for a channel and one of its topics. Flags are 0 or 1. */
export interface SubscriberSettings {
  readonly userId: number
  readonly isMuted: number
  readonly push: number | null
  readonly email: number | null
  readonly wildcard: number | null
  /** One of `visibilityPolicies`. */
  readonly policy: VisibilityPolicy
}

const subscriberSettings = preparedSql<SubscriberSettings>(`
  SELECT s.user_id AS userId, s.is_muted AS isMuted, s.push_notifications AS push,
    s.email_notifications AS email, s.wildcard_mentions_notify AS wildcard,
    coalesce(t.policy, 0) AS policy
  FROM json_each(@userIds) j
  CROSS JOIN subscriptions s ON s.user_id = j.value AND s.channel_id = @channelId AND s.is_active
  LEFT JOIN user_topics t
    ON t.user_id = j.value AND t.channel_id = @channelId AND t.topic_key = @topicKey
`)

/** The settings of the subscribers among these users, by ID. */
export function findSubscriberSettings(
  read: Read,
  channelId: number,
  topicKey: string,
  userIds: readonly number[],
): Map<number, SubscriberSettings> {
  const rows = subscriberSettings(read).all({
    channelId,
    topicKey,
    userIds: JSON.stringify(userIds),
  })
  return new Map(rows.map((row) => [row.userId, row]))
}

const mentionBits = flagBits.mentioned | flagBits.topic_wildcard_mentioned

const flagged = preparedSql<{ userId: number; bits: number }>(`
  SELECT user_id AS userId, flags & ${mentionBits} AS bits FROM message_flags
  WHERE message_id = @messageId AND flags & ${mentionBits}
`)

/** The mention flags of a message, by user id. */
export function mentionFlags(read: Read, messageId: number): Map<number, number> {
  return new Map(
    flagged(read)
      .all({ messageId })
      .map(({ userId, bits }) => [userId, bits]),
  )
}

const insertOne = preparedSql(`
  INSERT OR IGNORE INTO notifications
    (user_id, message_id, push_trigger, email_trigger, group_id, created_at, email_due_at)
  VALUES (@userId, @messageId, @pushTrigger, @emailTrigger, @groupId, @createdAt, @emailDueAt)
`)

/** Stores that a user is to be notified about a message. Returns false if it is stored already. */
export function insertNotification(tx: Tx, row: Notification): boolean {
  return insertOne(tx).run(row).changes > 0
}

const postpone = preparedSql(`
  UPDATE notifications SET email_due_at = max(created_at + @period, @earliest)
  WHERE user_id = @userId AND email_due_at IS NOT NULL
`)

/**
 * Sets when the mails that wait for a user are due.
 *
 * @param period after the message, in seconds @param earliest in seconds since the epoch
 */
export function updateMailDue(tx: Tx, userId: number, period: number, earliest: number): void {
  postpone(tx).run({ userId, period, earliest })
}

export type NotificationPart = typeof notificationParts.$inferSelect

/** Stores users who may have to be notified about a message, for a job. */
export function insertPart(
  tx: Tx,
  messageId: number,
  isEdit: boolean,
  userIds: readonly number[],
): void {
  const createdAt = seconds(tx.clock)
  tx.db.insert(notificationParts).values({ messageId, isEdit, userIds, createdAt }).run()
}

const firstPart = prepared((db) =>
  db.select().from(notificationParts).orderBy(asc(notificationParts.id)).limit(1).prepare(),
)

/** The oldest users that wait for a job; undefined: none do. */
export function findFirstPart(read: Read): NotificationPart | undefined {
  return firstPart(read).get()
}

export function deletePart(tx: Tx, id: number): void {
  tx.db.delete(notificationParts).where(eq(notificationParts.id, id)).run()
}

const oldest = prepared((db) =>
  db
    .select({ at: min(notifications.createdAt) })
    .from(notifications)
    .prepare(),
)

/** When the oldest notification was stored, in seconds since the epoch; undefined: there is none. */
export function oldestNotification(read: Read): number | undefined {
  return oldest(read).get()?.at ?? undefined
}

/** Deletes the notifications from before a time. */
export function deleteNotificationsBefore(tx: Tx, time: number): void {
  tx.db.delete(notifications).where(lt(notifications.createdAt, time)).run()
}
