import { and, asc, eq, lte, min, sql } from 'drizzle-orm'
import { seconds } from '#platform/clock.ts'
import { prepared } from '#platform/store/prepared.ts'
import { pushDevices, pushTokens } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/write.ts'

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

/** A user's APNs and FCM tokens. */
export function listTokens(read: Read, userId: number): (typeof pushTokens.$inferSelect)[] {
  return read.db.select().from(pushTokens).where(eq(pushTokens.userId, userId)).all()
}

/** Stores a token, or renews it. */
export function putToken(
  tx: Tx,
  userId: number,
  kind: TokenKind,
  token: string,
  appId: string | null,
): void {
  const registeredAt = seconds(tx.clock)
  tx.db
    .insert(pushTokens)
    .values({ userId, kind, token, appId, registeredAt })
    .onConflictDoUpdate({
      target: [pushTokens.userId, pushTokens.kind, pushTokens.token],
      set: { appId, registeredAt },
    })
    .run()
}

/** Whether the user has this token, or any token if undefined. */
export function hasToken(read: Read, userId: number, token: string | undefined): boolean {
  const own = and(
    eq(pushTokens.userId, userId),
    token === undefined ? undefined : eq(pushTokens.token, token),
  )
  return read.db.select().from(pushTokens).where(own).limit(1).get() !== undefined
}

/** Returns false if the user has no such token. */
export function deleteToken(tx: Tx, userId: number, kind: TokenKind, token: string): boolean {
  const own = and(
    eq(pushTokens.userId, userId),
    eq(pushTokens.kind, kind),
    eq(pushTokens.token, token),
  )
  return tx.db.delete(pushTokens).where(own).run().changes > 0
}

/** Deletes all device registrations of a user. */
export function deletePhonesOf(tx: Tx, userId: number): void {
  tx.db.delete(pushDevices).where(eq(pushDevices.userId, userId)).run()
  tx.db.delete(pushTokens).where(eq(pushTokens.userId, userId)).run()
}
