import { lt, min } from 'drizzle-orm'
import { seconds } from '#platform/clock.ts'
import { columnsOf, derived } from '#platform/store/derived.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { pushes, pushTokens, webPushSubscriptions } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Push = typeof pushes.$inferSelect

/**
 * A device, or all phones of a user, which share a service. Pushes are sent to a target one by one.
 */
export type PushTarget = Pick<Push, 'userId' | 'subscriptionId'>

/** How many pushes of a target are kept, the newest: waiting and shown ones together. */
export const mostPushes = 200

/** Whether the operator chose a service that pushes to phones. */
export function isPhoneServiceOpen({ config }: Read): boolean {
  return config.pushServiceUrl !== null
}

/** Whether anyone has a device for pushes. */
export function hasPushDevices(read: Read): boolean {
  const { browsers, phones } = kinds(read, 'all')
  return browsers || (phones && isPhoneServiceOpen(read))
}

const anyDevices = preparedSql<{ browsers: number; phones: number }>(`
  SELECT EXISTS (SELECT 1 FROM web_push_subscriptions) AS browsers,
    EXISTS (SELECT 1 FROM push_tokens) AS phones`)

/** Each send asks for it. */
const kinds = derived(
  [columnsOf(webPushSubscriptions, 'id'), columnsOf(pushTokens, 'user_id')],
  (read, _key: 'all') => {
    const found = anyDevices(read).get({})
    return { browsers: found?.browsers === 1, phones: found?.phones === 1 }
  },
  1,
)

interface Destination {
  readonly subscriptionId: number | null
  readonly pausedUntil: number
}

const destinationsOf = preparedSql<Destination>(`
  SELECT id AS subscriptionId, coalesce(paused_until, 0) AS pausedUntil
  FROM web_push_subscriptions WHERE user_id = @userId AND (urgency = 'normal' OR @isUrgent)
  UNION ALL
  SELECT NULL, 0 WHERE @withPhones
    AND NOT EXISTS (SELECT 1 FROM push_service WHERE problem IS NOT NULL)
    AND EXISTS (
      SELECT 1 FROM push_tokens WHERE user_id = @userId AND service_due_at IS NULL AND NOT is_removed
    )
`)

/**
 * The devices of a user to push a message to, with the time until which each must be left alone.
 *
 * @param isUrgent whether the message also reaches devices that want only urgent ones
 */
export function listDestinations(read: Read, userId: number, isUrgent: boolean): Destination[] {
  const withPhones = Number(isPhoneServiceOpen(read))
  return destinationsOf(read).all({ userId, isUrgent: Number(isUrgent), withPhones })
}

const insertOne = preparedSql(`
  INSERT INTO pushes (user_id, subscription_id, message_id, created_at, due_at)
  VALUES (@userId, @subscriptionId, @messageId, @now, @dueAt)
`)

const trim = preparedSql(`
  DELETE FROM pushes WHERE id IN (
    SELECT id FROM pushes WHERE user_id = @userId AND subscription_id IS @subscriptionId
    ORDER BY id DESC LIMIT -1 OFFSET ${mostPushes}
  )
`)

/** Stores that a message is to be pushed to a device. */
export function insertPush(
  tx: Tx,
  userId: number,
  { subscriptionId, pausedUntil }: Destination,
  messageId: number,
): void {
  const now = seconds(tx.clock)
  const dueAt = Math.max(now, pausedUntil)
  insertOne(tx).run({ userId, subscriptionId, messageId, now, dueAt })
  trim(tx).run({ userId, subscriptionId })
}

const recheckSome = preparedSql(`
  UPDATE pushes SET due_at = @now
  WHERE user_id = @userId AND message_id IN (SELECT value FROM json_each(@ids))
    AND sent_at IS NOT NULL AND due_at IS NULL
`)

const recheckUser = preparedSql(`
  UPDATE pushes SET due_at = @now
  WHERE user_id = @userId AND sent_at IS NOT NULL AND due_at IS NULL
`)

const recheckMessages = preparedSql(`
  UPDATE pushes SET due_at = @now
  WHERE message_id IN (SELECT value FROM json_each(@ids)) AND sent_at IS NOT NULL AND due_at IS NULL
`)

/**
 * Makes the pushes due that a user's devices may show. Returns whether there are any.
 *
 * @param messageIds undefined: all messages
 */
export function makePushesDue(tx: Tx, userId: number, messageIds?: readonly number[]): boolean {
  const now = seconds(tx.clock)
  const done = messageIds
    ? recheckSome(tx).run({ now, userId, ids: JSON.stringify(messageIds) })
    : recheckUser(tx).run({ now, userId })
  return done.changes > 0
}

/** The same for the devices of all users, about these messages. */
export function makePushesOfDue(tx: Tx, messageIds: readonly number[]): boolean {
  const now = seconds(tx.clock)
  return recheckMessages(tx).run({ now, ids: JSON.stringify(messageIds) }).changes > 0
}

const oldest = prepared((db) =>
  db
    .select({ at: min(pushes.createdAt) })
    .from(pushes)
    .prepare(),
)

/** When the oldest push was stored, in seconds since the epoch; undefined: there is none. */
export function oldestPush(read: Read): number | undefined {
  return oldest(read).get()?.at ?? undefined
}

/** Deletes the pushes from before a time, whether sent or not. */
export function deletePushesBefore(tx: Tx, time: number): void {
  tx.db.delete(pushes).where(lt(pushes.createdAt, time)).run()
}
