import { createHmac } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { splitAddress } from '#platform/config/split-address.ts'
import { seal, unseal } from '#platform/sealing.ts'
import { prepared } from '#platform/store/prepared.ts'
import { zoomTokens } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/write.ts'
import type { ZoomApp } from './zoom.ts'

/** The tokens by which the server acts for a user at Zoom. */
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

/** Whether the user has connected their account with Zoom. */
export function hasZoomTokens(read: Read, userId: number): boolean {
  return byUser(read).get({ userId }) !== undefined
}

/** A user's tokens; undefined too if they were made for an app with another secret. */
export function findZoomTokens(read: Read, app: ZoomApp, userId: number): StoredTokens | undefined {
  const row = byUser(read).get({ userId })
  const text = row && unseal(keyOf(app), row.sealed)
  return text === undefined ? undefined : (JSON.parse(text) as StoredTokens)
}

export function replaceZoomTokens(
  tx: Tx,
  app: ZoomApp,
  userId: number,
  tokens: StoredTokens,
): void {
  const sealed = seal(keyOf(app), JSON.stringify(tokens))
  tx.db
    .insert(zoomTokens)
    .values({ userId, sealed })
    .onConflictDoUpdate({ target: zoomTokens.userId, set: { sealed } })
    .run()
}

/** Returns whether there were any. */
export function deleteZoomTokens(tx: Tx, userId: number): boolean {
  return tx.db.delete(zoomTokens).where(eq(zoomTokens.userId, userId)).run().changes > 0
}

/**
 * Someone who gets a copy of the database without the operator's settings cannot read the tokens.
 */
function keyOf({ address }: ZoomApp): Buffer {
  const { password } = splitAddress(address)
  return createHmac('sha256', password).update('tokens of zoom users').digest()
}
