import { randomBytes } from 'node:crypto'
import { and, asc, desc, eq, gt, sql } from 'drizzle-orm'
import { type Clock, seconds } from '#platform/clock.ts'
import type { Session } from '#platform/http/directory.ts'
import { secretHash } from '#platform/secret-hash.ts'
import { deleteUntil } from '#platform/store/expiry.ts'
import { prepared } from '#platform/store/prepared.ts'
import { sessions, users } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** How long a session lasts without being used, in seconds. */
export const sessionSeconds = 14 * 24 * 3600

/**
 * How much of that has to pass before a use extends it, so that there is one write a day, not one a
 * request.
 */
const renewalSeconds = 24 * 3600

export interface NewSession {
  /** The cookie's value: 64 hex digits; the server stores only its hash. */
  token: string
  /** The value that the browser's requests repeat in `X-CSRFToken`. */
  csrfToken: string
}

/** The longest description of a device, in UTF-16 code units. */
const deviceLength = 300

/** @param device the header `User-Agent` of the log-in */
export function insertSession(
  tx: Tx,
  userId: number,
  clock: Clock,
  device: string | undefined = '',
): NewSession {
  const session = {
    token: randomBytes(32).toString('hex'),
    csrfToken: randomBytes(32).toString('hex'),
  }
  const now = seconds(clock)
  deleteUntil(tx, sessions.expiresAt, now)
  tx.db
    .insert(sessions)
    .values({
      tokenHash: secretHash(session.token),
      userId,
      csrfToken: session.csrfToken,
      expiresAt: now + sessionSeconds,
      createdAt: now,
      device: device.slice(0, deviceLength).toWellFormed(),
    })
    .run()
  return session
}

const byToken = prepared((db) =>
  db
    .select({
      id: sessions.tokenHash,
      csrfToken: sessions.csrfToken,
      expiresAt: sessions.expiresAt,
      user: users,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.tokenHash, sql.placeholder('tokenHash')),
        gt(sessions.expiresAt, sql.placeholder('now')),
      ),
    )
    .prepare(),
)

/** The session of a cookie, with its user; undefined if unknown or expired. */
export function findSession(read: Read, token: string, clock: Clock): Session | undefined {
  const now = seconds(clock)
  const found = byToken(read).get({ tokenHash: secretHash(token), now })
  if (!found) return undefined
  const { expiresAt, ...session } = found
  return { ...session, isAging: expiresAt <= now + sessionSeconds - renewalSeconds }
}

/** Whether a session with this ID is stored, expired or not. @param id `Session.id` */
export function hasSession(read: Read, id: string): boolean {
  const found = read.db.select({ userId: sessions.userId }).from(sessions)
  return found.where(eq(sessions.tokenHash, id)).get() !== undefined
}

/** Extends a session to the lifetime of a new one; does nothing if it has ended. */
export function extendSession(tx: Tx, token: string, clock: Clock): void {
  tx.db
    .update(sessions)
    .set({ expiresAt: seconds(clock) + sessionSeconds })
    .where(and(eq(sessions.tokenHash, secretHash(token)), gt(sessions.expiresAt, seconds(clock))))
    .run()
}

export type KnownSession = Pick<
  typeof sessions.$inferSelect,
  'tokenHash' | 'createdAt' | 'expiresAt' | 'device'
>

/** The sessions of a user that have not expired, the most recently used first. */
export function listSessions(read: Read, userId: number, clock: Clock): KnownSession[] {
  return read.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, seconds(clock))))
    .orderBy(desc(sessions.expiresAt), asc(sessions.tokenHash))
    .all()
}

/** Deletes a session of a user by its id. Returns whether there was one. */
export function deleteSessionById(tx: Tx, userId: number, id: string): boolean {
  const deleted = tx.db
    .delete(sessions)
    .where(and(eq(sessions.tokenHash, id), eq(sessions.userId, userId)))
    .run()
  return deleted.changes > 0
}

/** Deletes one session. */
export function deleteSession(tx: Tx, token: string): void {
  tx.db
    .delete(sessions)
    .where(eq(sessions.tokenHash, secretHash(token)))
    .run()
}

/** Ends all sessions of a user. */
export function deleteSessionsOf(tx: Tx, userId: number): void {
  tx.db.delete(sessions).where(eq(sessions.userId, userId)).run()
}

/** Ends all sessions. */
export function deleteAllSessions(tx: Tx): void {
  tx.db.delete(sessions).run()
}
