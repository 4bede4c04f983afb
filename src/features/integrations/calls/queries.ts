import { createHmac } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { splitAddress } from '#platform/config/split-address.ts'
import { seal, unseal } from '#platform/sealing.ts'
import { prepared } from '#platform/store/prepared.ts'
import { zoomTokens } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import type { ZoomApp } from './zoom.ts'

/** The tokens with which the server acts for a user at Zoom. */
export interface StoredTokens {
  readonly access: string
  readonly refresh: string
  /** When the access token ends, in seconds since the epoch. */
  readonly expiresAt: number
}

const byUser = prepared((db) =>
  db
    .select()
    .from(zoomTokens)
    .where(eq(zoomTokens.userId, sql.placeholder('userId')))
    .prepare(),
)

/** A user's tokens; undefined: none, or they belong to an app with another secret. */
export function findZoomTokens(read: Read, app: ZoomApp, userId: number): StoredTokens | undefined {
  const row = byUser(read).get({ userId })
  const text = row && unseal(keyOf(app), row.sealed)
  return text === undefined ? undefined : (JSON.parse(text) as StoredTokens)
}

/** Whether the user has connected their account with Zoom. @param app null: there are no calls by Zoom */
export function hasZoomTokens(read: Read, app: ZoomApp | null, userId: number): boolean {
  return app !== null && findZoomTokens(read, app, userId) !== undefined
}

/** Stores the tokens of a new connection, in place of those of an earlier one. */
export function replaceZoomTokens(
  tx: Tx,
  app: ZoomApp,
  userId: number,
  tokens: StoredTokens,
): void {
  const row = { sealed: sealed(app, tokens), zoomUserId: null }
  tx.db
    .insert(zoomTokens)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: zoomTokens.userId, set: row })
    .run()
}

/** Stores the renewed tokens of a connection. */
export function renewZoomTokens(tx: Tx, app: ZoomApp, userId: number, tokens: StoredTokens): void {
  const row = { sealed: sealed(app, tokens) }
  tx.db.update(zoomTokens).set(row).where(eq(zoomTokens.userId, userId)).run()
}

/** The account at Zoom that a user has connected; undefined if it is not known. */
export function findZoomUserId(read: Read, userId: number): string | undefined {
  return byUser(read).get({ userId })?.zoomUserId ?? undefined
}

export function updateZoomUserId(tx: Tx, userId: number, zoomUserId: string): void {
  tx.db.update(zoomTokens).set({ zoomUserId }).where(eq(zoomTokens.userId, userId)).run()
}

/** The users who have connected an account at Zoom. */
export function listUsersOfZoomUser(read: Read, zoomUserId: string): number[] {
  return read.db
    .select({ userId: zoomTokens.userId })
    .from(zoomTokens)
    .where(eq(zoomTokens.zoomUserId, zoomUserId))
    .all()
    .map(({ userId }) => userId)
}

/** Returns whether there were any. */
export function deleteZoomTokens(tx: Tx, userId: number): boolean {
  return tx.db.delete(zoomTokens).where(eq(zoomTokens.userId, userId)).run().changes > 0
}

const sealed = (app: ZoomApp, tokens: StoredTokens) => seal(keyOf(app), JSON.stringify(tokens))

/**
 * Someone who gets a copy of the database without the operator's settings cannot read the tokens.
 */
function keyOf({ address }: ZoomApp): Buffer {
  const { password } = splitAddress(address)
  return createHmac('sha256', password).update('tokens of zoom users').digest()
}
