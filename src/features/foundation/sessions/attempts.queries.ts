import { randomBytes } from 'node:crypto'
import { and, desc, eq, gt, inArray, isNull, or } from 'drizzle-orm'
import { seconds } from '#platform/clock.ts'
import { secretHash } from '#platform/secret-hash.ts'
import { deleteUntil } from '#platform/store/expiry.ts'
import { type AttemptDetails, loginAttempts } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type { AttemptDetails }

type Step = AttemptDetails['step']
export type AttemptAt<S extends Step> = Extract<AttemptDetails, { readonly step: S }>

/** How long a log-in may take, in seconds. */
export const attemptSeconds = 3600

/**
 * The most incomplete log-ins of an account. The oldest end first, so that nobody is kept from
 * logging in.
 */
const mostAttempts = 20

export interface NewAttempt {
  readonly details: AttemptDetails
  /** The secret of the browser that may continue it; null: any browser may. */
  readonly browser: string | null
  /** The user whose password was right, or whom a provider has identified. */
  readonly userId: number
  /** How long it lasts; default: `attemptSeconds`. */
  readonly lifetime?: number | undefined
}

export interface Attempt<S extends Step> {
  readonly details: AttemptAt<S>
  readonly userId: number
}

/** Stores an incomplete log-in. @returns its secret; only its hash is stored */
export function insertAttempt(tx: Tx, attempt: NewAttempt): string {
  const now = seconds(tx.clock)
  deleteUntil(tx, loginAttempts.expiresAt, now)
  makeRoom(tx, attempt.userId)
  const key = randomBytes(32).toString('hex')
  tx.db
    .insert(loginAttempts)
    .values({
      keyHash: secretHash(key),
      browserHash: attempt.browser === null ? null : secretHash(attempt.browser),
      userId: attempt.userId,
      details: attempt.details,
      expiresAt: now + (attempt.lifetime ?? attemptSeconds),
    })
    .run()
  return key
}

function makeRoom(tx: Tx, userId: number): void {
  const oldest = tx.db
    .select({ keyHash: loginAttempts.keyHash })
    .from(loginAttempts)
    .where(eq(loginAttempts.userId, userId))
    .orderBy(desc(loginAttempts.expiresAt))
    .limit(mostAttempts)
    .offset(mostAttempts - 1)
  tx.db.delete(loginAttempts).where(inArray(loginAttempts.keyHash, oldest)).run()
}

/** A log-in of this browser that waits at one of these steps, and has not expired. */
export function findAttempt<S extends Step>(
  read: Read,
  steps: readonly S[],
  key: string,
  browser: string | undefined,
): Attempt<S> | undefined {
  const mine =
    browser === undefined
      ? isNull(loginAttempts.browserHash)
      : or(isNull(loginAttempts.browserHash), eq(loginAttempts.browserHash, secretHash(browser)))
  const wanted = and(
    eq(loginAttempts.keyHash, secretHash(key)),
    gt(loginAttempts.expiresAt, seconds(read.clock)),
    mine,
  )
  const found = read.db.select().from(loginAttempts).where(wanted).get()
  if (!found || !(steps as readonly Step[]).includes(found.details.step)) return undefined
  return { details: found.details as AttemptAt<S>, userId: found.userId }
}

/** Ends a log-in, so that nobody continues it twice. Returns whether it existed. */
export function deleteAttempt(tx: Tx, key: string): boolean {
  const deleted = tx.db
    .delete(loginAttempts)
    .where(eq(loginAttempts.keyHash, secretHash(key)))
    .run()
  return deleted.changes > 0
}

/** Ends all incomplete log-ins of an account. */
export function deleteAttemptsOf(tx: Tx, userId: number): void {
  tx.db.delete(loginAttempts).where(eq(loginAttempts.userId, userId)).run()
}
