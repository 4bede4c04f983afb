import { and, asc, eq, lte, min, sql } from 'drizzle-orm'
import { isPhoneServiceOpen } from '#features/messaging/notifications/pushes.queries.ts'
import { seconds } from '#platform/clock.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { pushDevices, pushService, pushTokens } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type PushDevice = typeof pushDevices.$inferSelect
export type TokenKind = PushDevice['tokenKind']

const isDevice = ({ userId, pushAccountId }: Pick<PushDevice, 'userId' | 'pushAccountId'>) =>
  and(eq(pushDevices.userId, userId), eq(pushDevices.pushAccountId, pushAccountId))

const ofUser = prepared((db) =>
  db
    .select()
    .from(pushDevices)
    .where(eq(pushDevices.userId, sql.placeholder('userId')))
    .orderBy(asc(pushDevices.pushAccountId))
    .prepare(),
)

/** A user's registrations, by push account ID. */
export function listPushDevices(read: Read, userId: number): PushDevice[] {
  return ofUser(read).all({ userId })
}

export function findPushDevice(
  read: Read,
  userId: number,
  pushAccountId: number,
): PushDevice | undefined {
  const wanted = isDevice({ userId, pushAccountId })
  return read.db.select().from(pushDevices).where(wanted).get()
}

/** Stores a registration; replaces an earlier one of the same account. */
export function putPushDevice(tx: Tx, device: PushDevice): void {
  tx.db
    .insert(pushDevices)
    .values(device)
    .onConflictDoUpdate({ target: [pushDevices.userId, pushDevices.pushAccountId], set: device })
    .run()
}

export function updatePushDevice(
  tx: Tx,
  device: PushDevice,
  changes: Partial<Pick<PushDevice, 'serviceDeviceId' | 'errorCode' | 'failures' | 'dueAt'>>,
): void {
  tx.db.update(pushDevices).set(changes).where(isDevice(device)).run()
}

const first = prepared((db) =>
  db
    .select({ at: min(pushDevices.dueAt) })
    .from(pushDevices)
    .where(sql`due_at IS NOT NULL`)
    .prepare(),
)

/** When the next registration is due, in seconds since the epoch. */
export function nextPushDue(read: Read): number | undefined {
  return first(read).get()?.at ?? undefined
}

/** The registration that has been due longest. */
export function findDuePushDevice(read: Read): PushDevice | undefined {
  return read.db
    .select()
    .from(pushDevices)
    .where(lte(pushDevices.dueAt, seconds(read.clock)))
    .orderBy(asc(pushDevices.dueAt))
    .limit(1)
    .get()
}

export type PushToken = typeof pushTokens.$inferSelect

const isToken = ({ userId, kind, token }: Pick<PushToken, 'userId' | 'kind' | 'token'>) =>
  and(eq(pushTokens.userId, userId), eq(pushTokens.kind, kind), eq(pushTokens.token, token))

/** Tokens that users have not removed. */
export const isInUse = sql`NOT is_removed`

/** A user's APNs and FCM tokens. */
export function listTokens(read: Read, userId: number): PushToken[] {
  const own = and(eq(pushTokens.userId, userId), isInUse)
  return read.db.select().from(pushTokens).where(own).all()
}

/**
 * Stores a token, or renews it.
 *
 * @param serviceDueAt as in the table
 */
export function putToken(
  tx: Tx,
  row: Pick<PushToken, 'userId' | 'kind' | 'token' | 'appId' | 'serviceDueAt'>,
): void {
  const { appId, serviceDueAt } = row
  const changes = { appId, serviceDueAt, registeredAt: seconds(tx.clock), isRemoved: false }
  tx.db
    .insert(pushTokens)
    .values({ ...row, ...changes })
    .onConflictDoUpdate({
      target: [pushTokens.userId, pushTokens.kind, pushTokens.token],
      set: { ...changes, failures: 0 },
    })
    .run()
}

export function updateToken(
  tx: Tx,
  token: PushToken,
  changes: Partial<Pick<PushToken, 'serviceDueAt' | 'failures'>>,
): void {
  tx.db.update(pushTokens).set(changes).where(isToken(token)).run()
}

/** The most tokens of a user that may wait to be removed from the push service. */
const mostRemoved = 100

const markRemoved = preparedSql(`
  UPDATE push_tokens SET is_removed = 1, failures = 0, service_due_at = @now
  WHERE user_id = @userId AND NOT is_removed AND kind = coalesce(@kind, kind)
    AND token = coalesce(@token, token)
`)

const trimRemoved = preparedSql(`
  DELETE FROM push_tokens WHERE user_id = @userId AND (kind, token) IN (
    SELECT kind, token FROM push_tokens WHERE user_id = @userId AND is_removed
    ORDER BY service_due_at DESC LIMIT -1 OFFSET ${mostRemoved}
  )
`)

/**
 * Removes a user's tokens from the push service, and then deletes them. Returns whether there are
 * any.
 *
 * @param which undefined: all
 */
export function removeTokens(
  tx: Tx,
  userId: number,
  which?: Pick<PushToken, 'kind' | 'token'>,
): boolean {
  const { kind = null, token = null } = which ?? {}
  const now = seconds(tx.clock)
  const { changes } = markRemoved(tx).run({ now, userId, kind, token })
  trimRemoved(tx).run({ userId })
  return changes > 0
}

/** Deletes a token that the push service does not know or no longer knows. */
export function deleteToken(tx: Tx, token: Pick<PushToken, 'userId' | 'kind' | 'token'>): void {
  tx.db.delete(pushTokens).where(isToken(token)).run()
}

const firstToken = prepared((db) =>
  db
    .select({ at: min(pushTokens.serviceDueAt) })
    .from(pushTokens)
    .where(sql`service_due_at IS NOT NULL`)
    .prepare(),
)

/** When to tell the push service about a token next, in seconds since the epoch. */
export function nextTokenDue(read: Read): number | undefined {
  return firstToken(read).get()?.at ?? undefined
}

/** The token that has been due longest. */
export function findDueToken(read: Read): PushToken | undefined {
  return read.db
    .select()
    .from(pushTokens)
    .where(and(sql`service_due_at IS NOT NULL`, lte(pushTokens.serviceDueAt, seconds(read.clock))))
    .orderBy(asc(pushTokens.serviceDueAt))
    .limit(1)
    .get()
}

/** Deletes the registrations for encrypted notifications of a user. */
export function deletePushDevices(tx: Tx, userId: number): void {
  tx.db.delete(pushDevices).where(eq(pushDevices.userId, userId)).run()
}

export type ServiceState = typeof pushService.$inferSelect

const state = prepared((db) => db.select().from(pushService).prepare())

/** The state of the push service; undefined: it was never asked. */
export function findServiceState(read: Read): ServiceState | undefined {
  return state(read).get()
}

export function putServiceState(tx: Tx, row: Omit<ServiceState, 'id'>): void {
  tx.db
    .insert(pushService)
    .values({ id: 1, ...row })
    .onConflictDoUpdate({ target: pushService.id, set: row })
    .run()
}

const roleCounts = preparedSql<{ role: number; isBot: number; count: number }>(`
  SELECT role, bot_type IS NOT NULL AS isBot, count(*) AS count FROM users
  WHERE is_active AND NOT is_system_bot GROUP BY 1, 2
`)

/** The number of active people by role, and of active bots. */
export function countAccounts(read: Read): { people: Map<number, number>; bots: number } {
  const people = new Map<number, number>()
  let bots = 0
  for (const { role, isBot, count } of roleCounts(read).all({})) {
    if (isBot) bots += count
    else people.set(role, count)
  }
  return { people, bots }
}

/** Whether phones are notified: a push service is configured, and takes notifications. */
export function arePhonesNotified(read: Read): boolean {
  return isPhoneServiceOpen(read) && (findServiceState(read)?.problem ?? null) === null
}
