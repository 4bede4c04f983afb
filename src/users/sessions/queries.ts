import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, lte } from 'drizzle-orm'
import { type Clock, seconds } from '#clock.ts'
import { sessions, users } from '#store/schema.ts'
import type { Read, Tx } from '#store/write.ts'
import type { User } from '#users/queries.ts'

/** Name of the cookie that holds a session's token. */
export const sessionCookie = 'sessionid'

/** How long a session lasts, in seconds. */
export const sessionSeconds = 14 * 24 * 3600

export interface NewSession {
  /** The cookie's value: 64 hex digits, known to the browser alone. */
  token: string
  /** What the browser's requests must repeat in `X-CSRFToken`. */
  csrfToken: string
}

export function insertSession(tx: Tx, userId: number, clock: Clock): NewSession {
  const session = {
    token: randomBytes(32).toString('hex'),
    csrfToken: randomBytes(32).toString('hex'),
  }
  const now = seconds(clock)
  tx.db.delete(sessions).where(lte(sessions.expiresAt, now)).run()
  tx.db
    .insert(sessions)
    .values({
      tokenHash: hash(session.token),
      userId,
      csrfToken: session.csrfToken,
      expiresAt: now + sessionSeconds,
    })
    .run()
  return session
}

/** The session of a cookie and whose it is; undefined when unknown or expired. */
export function findSession(
  read: Read,
  token: string,
  clock: Clock,
): { csrfToken: string; user: User } | undefined {
  return read.db
    .select({ csrfToken: sessions.csrfToken, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, hash(token)), gt(sessions.expiresAt, seconds(clock))))
    .get()
}

/** Ends one session. */
export function deleteSession(tx: Tx, token: string): void {
  tx.db
    .delete(sessions)
    .where(eq(sessions.tokenHash, hash(token)))
    .run()
}

/** Logs a user out everywhere. */
export function deleteSessionsOf(tx: Tx, userId: number): void {
  tx.db.delete(sessions).where(eq(sessions.userId, userId)).run()
}

/** Logs everybody out. */
export function deleteAllSessions(tx: Tx): void {
  tx.db.delete(sessions).run()
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
