import { createHmac } from 'node:crypto'
import { findRealm, requireRealm } from '#features/realm/queries.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { Read } from '#platform/store/write.ts'

/** The path of the page that ends mail about messages; a key and a slash follow. */
export const unsubscribePath = '/accounts/unsubscribe/missed_messages/'

/** The link to end somebody's mail about messages, without a login. It stays valid. */
export function unsubscribeUrl(read: Read, userId: number, realmUrl: string): string {
  return `${realmUrl}${unsubscribePath}${userId}-${digestOf(read, userId)}/`
}

/** The ID in a key; undefined if this server did not make the key. */
export function userOfKey(read: Read, key: string): number | undefined {
  const [, id = '', digest = ''] = /^(\d{1,15})-([0-9a-f]{40})$/.exec(key) ?? []
  if (!findRealm(read) || !constantTimeEqual(digest, digestOf(read, Number(id)))) return undefined
  return Number(id)
}

function digestOf(read: Read, userId: number): string {
  return createHmac('sha256', Buffer.from(requireRealm(read).secret, 'hex'))
    .update(`unsubscribe missed_messages ${userId}`)
    .digest('hex')
    .slice(0, 40)
}
