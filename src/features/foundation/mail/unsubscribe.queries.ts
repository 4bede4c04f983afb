import { createHmac } from 'node:crypto'
import { findRealm, requireRealm } from '#features/foundation/realm/queries.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import type { Read } from '#platform/store/store.ts'

/** The kinds of mail that can be ended by a link in them, as in its path. */
export const unsubscribeKinds = ['missed_messages', 'digest', 'login'] as const
export type UnsubscribeKind = (typeof unsubscribeKinds)[number]

/** The path of the pages that end mail, followed by a kind and a key. */
export const unsubscribePath = '/accounts/unsubscribe/'

/** The link to end a kind of mail to someone, without a login. It stays valid. */
export function unsubscribeUrl(
  read: Read,
  kind: UnsubscribeKind,
  userId: number,
  realmUrl: string,
): string {
  return `${realmUrl}${unsubscribePath}${kind}/${userId}-${digestOf(read, kind, userId)}/`
}

/**
 * The headers with which mail programs offer to end this kind of mail.
 *
 * @source RFC 8058, "Signaling One-Click Functionality for List Email Headers"
 */
export function unsubscribeHeaders(url: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${url}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

/** The ID in a key; undefined if this server did not make the key for this kind of mail. */
export function userOfKey(read: Read, kind: UnsubscribeKind, key: string): number | undefined {
  const [, id = '', digest = ''] = /^(\d{1,15})-([0-9a-f]{40})$/.exec(key) ?? []
  const isOurs = findRealm(read) && constantTimeEqual(digest, digestOf(read, kind, Number(id)))
  return isOurs ? Number(id) : undefined
}

function digestOf(read: Read, kind: UnsubscribeKind, userId: number): string {
  return createHmac('sha256', Buffer.from(requireRealm(read).secret, 'hex'))
    .update(`unsubscribe ${kind} ${userId}`)
    .digest('hex')
    .slice(0, 40)
}
