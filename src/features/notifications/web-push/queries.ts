import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { seconds } from '#platform/clock.ts'
import { prepared } from '#platform/store/prepared.ts'
import { sessions, webPushKey, webPushSubscriptions } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import type { VapidKey } from './vapid.ts'

export { pushUrgencies } from '#platform/store/schema.ts'

export type Subscription = typeof webPushSubscriptions.$inferSelect
type NewSubscription = typeof webPushSubscriptions.$inferInsert

const key = prepared((db) => db.select().from(webPushKey).prepare())

/** The key pair of this server; undefined: none was made yet. */
export function findVapidKey(read: Read): VapidKey | undefined {
  return key(read).get()
}

export function insertVapidKey(tx: Tx, { privateKey, publicKey }: VapidKey): void {
  tx.db.insert(webPushKey).values({ id: 1, privateKey, publicKey }).run()
}

const byId = prepared((db) =>
  db
    .select()
    .from(webPushSubscriptions)
    .where(eq(webPushSubscriptions.id, sql.placeholder('id')))
    .prepare(),
)

export function findSubscription(read: Read, id: number): Subscription | undefined {
  return byId(read).get({ id })
}

export function findByEndpoint(read: Read, endpoint: string): Subscription | undefined {
  const wanted = eq(webPushSubscriptions.endpoint, endpoint)
  return read.db.select().from(webPushSubscriptions).where(wanted).get()
}

/** A user's subscriptions, the oldest first. */
export function listSubscriptions(read: Read, userId: number): Subscription[] {
  return read.db
    .select()
    .from(webPushSubscriptions)
    .where(eq(webPushSubscriptions.userId, userId))
    .orderBy(asc(webPushSubscriptions.id))
    .all()
}

export function insertSubscription(tx: Tx, row: NewSubscription): Subscription {
  return tx.db.insert(webPushSubscriptions).values(row).returning().get()
}

export function updateSubscription(
  tx: Tx,
  id: number,
  changes: Partial<Omit<NewSubscription, 'id'>>,
): void {
  tx.db.update(webPushSubscriptions).set(changes).where(eq(webPushSubscriptions.id, id)).run()
}

/** Deletes a subscription with the pushes that wait for it. */
export function deleteSubscription(tx: Tx, id: number): void {
  tx.db.delete(webPushSubscriptions).where(eq(webPushSubscriptions.id, id)).run()
}

/** Deletes the subscriptions of a user that an API key made; those of sessions end with them. */
export function deleteSubscriptionsOfKey(tx: Tx, userId: number): void {
  const own = eq(webPushSubscriptions.userId, userId)
  tx.db
    .delete(webPushSubscriptions)
    .where(and(own, isNull(webPushSubscriptions.sessionId)))
    .run()
}

/** Whether a subscription still belongs to a session that has not expired, or to an API key. */
export function isEntitled(read: Read, { sessionId }: Subscription): boolean {
  if (sessionId === null) return true
  const own = read.db.select().from(sessions).where(eq(sessions.tokenHash, sessionId)).get()
  return own !== undefined && own.expiresAt > seconds(read.clock)
}

/** The `User-Agent` of a session's log-in. */
export function deviceOfSession(read: Read, id: string): string | undefined {
  return read.db.select().from(sessions).where(eq(sessions.tokenHash, id)).get()?.device
}
