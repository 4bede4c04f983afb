import type { User } from '#features/foundation/users/queries.ts'
import { seconds } from '#platform/clock.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { isPoint } from './encryption.ts'
import {
  deleteSubscription,
  deviceOfSession,
  findByEndpoint,
  findSubscription,
  findVapidKey,
  insertSubscription,
  insertVapidKey,
  isEntitled,
  type Subscription,
  updateSubscription,
} from './queries.ts'
import { subscriptionQuota } from './quotas.ts'
import { newVapidKey } from './vapid.ts'

/** Makes the key pair of this server at its first start; a new one would void all subscriptions. */
export function makeVapidKey(tx: Tx): void {
  if (!findVapidKey(tx)) insertVapidKey(tx, newVapidKey())
}

/** A browser's subscription, which lets a server send to it. */
export interface BrowserSubscription extends Pick<Subscription, 'endpoint' | 'urgency'> {
  /** In base64 or base64url. */
  readonly p256dh: string
  readonly auth: string
}

/** The origin of a subscription, besides the account. */
export interface Subscriber {
  readonly sessionId: string | undefined
  /** The name of the client, if there is no session. */
  readonly client: string
}

/**
 * Lets a device get notifications. Repeating it for the same device changes its keys and its
 * session. The device of another account is only taken over with the same keys, which means the
 * same browser, or once the session that subscribed it has ended.
 *
 * @throws BAD_REQUEST a bot; an endpoint of someone else; an address that is none of a push
 *   service; wrong keys; too many devices
 */
export function subscribe(tx: Tx, user: User, wanted: BrowserSubscription, by: Subscriber): number {
  if (user.botType !== null)
    throw badRequest(sentSentence('This endpoint does not accept bot requests.'))
  requireEndpoint(tx, wanted.endpoint)
  const keys = {
    p256dh: requireBytes('p256dh', wanted.p256dh, isPoint),
    auth: requireBytes('auth', wanted.auth, ({ length }) => length === 16),
  }
  const known = findByEndpoint(tx, wanted.endpoint)
  if (known?.userId !== user.id) {
    if (known) requireSameDevice(tx, known, keys)
    if (known) deleteSubscription(tx, known.id)
    requireRoom(tx, subscriptionQuota, user)
  }
  const { sessionId = null } = by
  const device = (sessionId && deviceOfSession(tx, sessionId)) || by.client
  const changes = { ...keys, sessionId, device, urgency: wanted.urgency, pausedUntil: null }
  if (known?.userId === user.id) {
    updateSubscription(tx, known.id, changes)
    return known.id
  }
  const { endpoint } = wanted
  const createdAt = seconds(tx.clock)
  return insertSubscription(tx, { ...changes, userId: user.id, endpoint, createdAt }).id
}

/** @throws BAD_REQUEST an endpoint alone does not prove that the device is the caller's */
function requireSameDevice(
  read: Read,
  known: Subscription,
  { p256dh, auth }: Pick<Subscription, 'p256dh' | 'auth'>,
): void {
  const isSame = known.p256dh === p256dh && constantTimeEqual(known.auth, auth)
  if (isSame || !isEntitled(read, known)) return
  throw badRequest(sentSentence('This endpoint belongs to another account.'), {
    parameter: 'endpoint',
  })
}

/** A subscription of the user. @throws NOT_FOUND no such one, or someone else's */
export function accessSubscription(read: Read, user: User, id: number): Subscription {
  const found = findSubscription(read, id)
  if (found?.userId !== user.id)
    throw new ApiError(
      'NOT_FOUND',
      sentSentence('No such device.'),
      {},
      { parameter: 'subscription_id' },
    )
  return found
}

/** Ends notifications on a device of the user. @throws NOT_FOUND */
export function unsubscribe(tx: Tx, user: User, id: number): void {
  deleteSubscription(tx, accessSubscription(tx, user, id).id)
}

/**
 * Requires the address of a push service: of a public one, or of one that the operator listed.
 * Whether its host may be connected to is checked at each push, since names can change.
 */
function requireEndpoint({ config }: Read, text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url !== undefined && url.username === '' && url.password === ''
  const isPublic = url?.protocol === 'https:' && url.port === ''
  if (isPlain && url.href === text && (isPublic || config.webPushServices.includes(url.origin)))
    return
  throw badRequest(sentSentence('The endpoint is not the URL of a push service.'), {
    parameter: 'endpoint',
  })
}

/** In base64url. @throws BAD_REQUEST */
function requireBytes(name: string, text: string, isRight: (bytes: Uint8Array) => boolean): string {
  const bytes = Buffer.from(text, 'base64url')
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text)
  if (!isBase64 || !isRight(bytes))
    throw badRequest(sentSentence('The key {name} is not valid.', { name }), { parameter: name })
  return bytes.toString('base64url')
}
