import { randomBytes } from 'node:crypto'
import { seconds } from '#platform/clock.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import { secretHash } from '#platform/secret-hash.ts'
import { scimTokens } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** Makes the token of the provider, in place of an earlier one. Only its hash is stored. */
export function replaceScimToken(tx: Tx): string {
  const token = randomBytes(32).toString('hex')
  tx.db.delete(scimTokens).run()
  tx.db
    .insert(scimTokens)
    .values({ tokenHash: secretHash(token), createdAt: seconds(tx.clock) })
    .run()
  return token
}

export function isScimToken(read: Read, token: string): boolean {
  const row = read.db.select().from(scimTokens).get()
  return row !== undefined && constantTimeEqual(row.tokenHash, secretHash(token))
}

/** Removes the provider's token. Returns whether there was one. */
export function deleteScimToken(tx: Tx): boolean {
  return tx.db.delete(scimTokens).run().changes > 0
}
