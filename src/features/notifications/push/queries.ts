import type { Push, PushTarget } from '#features/messaging/notifications/pushes.queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { Read, Tx } from '#platform/store/store.ts'

const firstDue = preparedSql<{ at: number | null }>(
  'SELECT min(due_at) AS at FROM pushes WHERE due_at IS NOT NULL',
)

/** When the next push is due, in seconds since the epoch. */
export function nextPush(read: Read): number | undefined {
  return firstDue(read).get({})?.at ?? undefined
}

/** The key of a target: `7:12`, or `7:` for the phones of the user 7. */
export function targetKey({ userId, subscriptionId }: PushTarget): string {
  return `${userId}:${subscriptionId ?? ''}`
}

const dueTargets = preparedSql<PushTarget>(`
  SELECT DISTINCT user_id AS userId, subscription_id AS subscriptionId
  FROM pushes INDEXED BY pushes_due
  WHERE due_at <= @now AND user_id || ':' || coalesce(subscription_id, '')
    NOT IN (SELECT value FROM json_each(@without))
  LIMIT @most
`)

/** The targets with due pushes, except those with some keys; the longest due first. */
export function listDueTargets(
  read: Read,
  now: number,
  without: ReadonlySet<string>,
  most: number,
): PushTarget[] {
  return dueTargets(read).all({ now, without: JSON.stringify([...without]), most })
}

const dueOf = preparedSql<Push>(`
  SELECT id, user_id AS userId, subscription_id AS subscriptionId, message_id AS messageId,
    created_at AS createdAt, due_at AS dueAt, sent_at AS sentAt, failures
  FROM pushes
  WHERE user_id = @userId AND subscription_id IS @subscriptionId AND due_at <= @now
  ORDER BY id
`)

/** The pushes of a target that are due, in the order of the messages. */
export function listDuePushes(read: Read, target: PushTarget, now: number): Push[] {
  return dueOf(read).all({ ...target, now })
}

const mentionedGroup = preparedSql<{ groupId: number | null }>(`
  SELECT group_id AS groupId FROM notifications
  WHERE user_id = @userId AND message_id = @messageId
`)

/** The mentioned group that is the reason; null: none. */
export function groupOf(read: Read, { userId, messageId }: Push): number | null {
  return mentionedGroup(read).get({ userId, messageId })?.groupId ?? null
}

const remove = preparedSql('DELETE FROM pushes WHERE id IN (SELECT value FROM json_each(@ids))')

export function deletePushes(tx: Tx, pushes: readonly Pick<Push, 'id'>[]): void {
  if (pushes.length > 0) remove(tx).run({ ids: JSON.stringify(pushes.map(({ id }) => id)) })
}

const settle = preparedSql(`
  UPDATE pushes SET due_at = NULL
  WHERE id IN (SELECT value FROM json_each(@ids)) AND sent_at IS NOT NULL
`)

/** Keeps messages on the device. */
export function settlePushes(tx: Tx, pushes: readonly Pick<Push, 'id'>[]): void {
  if (pushes.length > 0) settle(tx).run({ ids: JSON.stringify(pushes.map(({ id }) => id)) })
}

const sent = preparedSql(`
  UPDATE pushes SET sent_at = @now, due_at = @dueAt, failures = 0 WHERE id = @id
`)

/** Stores that a push was sent. @param dueAt when to look at it again; null: when it is read */
export function markSent(
  tx: Tx,
  { id }: Pick<Push, 'id'>,
  now: number,
  dueAt: number | null,
): void {
  sent(tx).run({ id, now, dueAt })
}

const postpone = preparedSql(`
  UPDATE pushes SET due_at = @dueAt, failures = failures + 1
  WHERE user_id = @userId AND subscription_id IS @subscriptionId AND due_at < @dueAt
`)

/** Leaves a target alone until a time. */
export function postponePushes(tx: Tx, target: PushTarget, dueAt: number): void {
  postpone(tx).run({ ...target, dueAt })
}
