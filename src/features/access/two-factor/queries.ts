import { and, count, eq, sql } from 'drizzle-orm'
import { seconds } from '#platform/clock.ts'
import { prepared } from '#platform/store/prepared.ts'
import { recoveryCodes, secondFactors } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type SecondFactor = typeof secondFactors.$inferSelect

const byUser = prepared((db) =>
  db
    .select()
    .from(secondFactors)
    .where(eq(secondFactors.userId, sql.placeholder('userId')))
    .prepare(),
)

/** The second factor of an account, switched on or being set up. */
export function findSecondFactor(read: Read, userId: number): SecondFactor | undefined {
  return byUser(read).get({ userId })
}

const anyOn = prepared((db) =>
  db
    .select({ userId: secondFactors.userId })
    .from(secondFactors)
    .where(eq(secondFactors.isOn, true))
    .limit(1)
    .prepare(),
)

/** Whether anyone has a second factor. */
export function isSecondFactorUsed(read: Read): boolean {
  return anyOn(read).get() !== undefined
}

/** Stores the second factor of an account, in place of an existing one. */
export function replaceSecondFactor(
  tx: Tx,
  factor: Omit<typeof secondFactors.$inferInsert, 'createdAt'>,
): void {
  const row = { begunBy: null, ...factor, createdAt: seconds(tx.clock) }
  tx.db
    .insert(secondFactors)
    .values(row)
    .onConflictDoUpdate({ target: secondFactors.userId, set: row })
    .run()
}

/** Stores the step of the last accepted code. */
export function updateLastStep(tx: Tx, userId: number, lastStep: number): void {
  tx.db.update(secondFactors).set({ lastStep }).where(eq(secondFactors.userId, userId)).run()
}

/** Deletes the second factor and the recovery codes of an account. Returns whether there was one. */
export function deleteSecondFactor(tx: Tx, userId: number): boolean {
  tx.db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)).run()
  return tx.db.delete(secondFactors).where(eq(secondFactors.userId, userId)).run().changes > 0
}

/** Replaces the recovery codes of an account. */
export function replaceRecoveryHashes(tx: Tx, userId: number, hashes: readonly string[]): void {
  tx.db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)).run()
  tx.db
    .insert(recoveryCodes)
    .values(hashes.map((codeHash) => ({ userId, codeHash })))
    .run()
}

/** Uses up a recovery code. Returns whether the account had it. */
export function deleteRecoveryHash(tx: Tx, userId: number, codeHash: string): boolean {
  const wanted = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash))
  return tx.db.delete(recoveryCodes).where(wanted).run().changes > 0
}

export function countRecoveryCodes(read: Read, userId: number): number {
  const counted = read.db.select({ n: count() }).from(recoveryCodes)
  return counted.where(eq(recoveryCodes.userId, userId)).get()?.n ?? 0
}
