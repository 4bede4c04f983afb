import type { User } from '#features/foundation/users/queries.ts'
import { isPhoneServiceOpen } from '#features/messaging/notifications/pushes.queries.ts'
import { seconds } from '#platform/clock.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import { requireRoom } from '#platform/quotas/room.ts'
import type { Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { emitPushDevice } from './events.ts'
import {
  deletePushDevices,
  deleteToken,
  findPushDevice,
  listTokens,
  type PushDevice,
  type PushToken,
  putPushDevice,
  putToken,
  removeTokens,
  type TokenKind,
} from './queries.ts'
import { pushDeviceQuota, pushTokenQuota } from './quotas.ts'

/**
 * A client's registration of a device. Only the push service can decrypt `encryptedRegistration`.
 */
export type Registration = Pick<
  PushDevice,
  'pushAccountId' | 'tokenKind' | 'publicKey' | 'servicePublicKey' | 'encryptedRegistration'
>

/**
 * Registers a device for encrypted notifications. A job then asks the push service, and an event
 * tells the user's clients the result. Repeating a registration changes nothing.
 *
 * @throws PUSH_SERVICE_NOT_CONFIGURED
 * @throws BAD_REQUEST invalid Base64 or an invalid key; too many devices
 * @source Zulip API, "Register E2EE push device" (feature level 406)
 */
export function registerPhone(tx: Tx, user: User, wanted: Registration): void {
  if (user.botType !== null)
    throw badRequest(sentSentence('This endpoint does not accept bot requests.'))
  if (!isPhoneServiceOpen(tx)) throw pushNotConfigured()
  requireBase64('push_public_key', wanted.publicKey)
  if (Buffer.from(wanted.publicKey, 'base64').length !== publicKeyBytes) {
    throw badRequest('push_public_key has the wrong length.')
  }
  requireBase64('encrypted_push_registration', wanted.encryptedRegistration)
  const before = findPushDevice(tx, user.id, wanted.pushAccountId)
  if (before && isSame(before, wanted) && before.errorCode === null) return
  if (!before) requireRoom(tx, pushDeviceQuota, user)
  const device: PushDevice = {
    ...wanted,
    userId: user.id,
    serviceDeviceId: null,
    errorCode: null,
    failures: 0,
    dueAt: seconds(tx.clock),
  }
  putPushDevice(tx, device)
  emitPushDevice(tx, device)
  wakeJobs(tx)
}

export function pushNotConfigured(): ApiError {
  return new ApiError(
    'PUSH_SERVICE_NOT_CONFIGURED',
    sentSentence('Server is not configured to use push notification service.'),
  )
}

/** Whether two registrations are equal. */
export function isSame(a: Registration, b: Registration): boolean {
  return (
    a.encryptedRegistration === b.encryptedRegistration &&
    a.servicePublicKey === b.servicePublicKey &&
    a.publicKey === b.publicKey &&
    a.tokenKind === b.tokenKind
  )
}

/** The length of a NaCl public key. */
const publicKeyBytes = 32

/**
 * @throws BAD_REQUEST empty or invalid Base64
 * @source RFC 4648, section 4
 */
function requireBase64(name: string, value: string): void {
  const isBase64 =
    value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value) && !/=[^=]/.test(value)
  if (!isBase64) throw badRequest(`${name} is not valid Base64.`)
}

/** The longest APNs or FCM token. */
const longestToken = 4096

/**
 * Stores a device's APNs or FCM token, which older apps register.
 *
 * @param appId the bundle ID of the iOS app; null for FCM
 * @throws BAD_REQUEST an empty or too long token; an APNs token that is not hexadecimal; an invalid
 *   app ID; too many devices
 * @source Zulip API, "Add an APNs device token"
 */
export function addToken(
  tx: Tx,
  user: User,
  kind: TokenKind,
  token: string,
  appId: string | null,
): void {
  requireLength(token)
  if (kind === 'apns' && !/^([0-9A-Fa-f]{2})+$/.test(token)) throw badRequest('Invalid APNS token')
  if (appId !== null && !/^[A-Za-z0-9.-]{1,155}$/.test(appId)) throw badRequest('Invalid app ID')
  const isKnown = listTokens(tx, user.id).some((one) => one.kind === kind && one.token === token)
  if (!isKnown) requireRoom(tx, pushTokenQuota, user)
  putToken(tx, { userId: user.id, kind, token, appId, serviceDueAt: seconds(tx.clock) })
  wakeJobs(tx)
}

/** Ends all notifications on a user's phones. */
export function forgetPhones(tx: Tx, userId: number): void {
  deletePushDevices(tx, userId)
  endTokens(tx, userId)
}

/** Tells the push service of the end of tokens, if there is one. Returns whether there are any. */
function endTokens(tx: Tx, userId: number, which?: Pick<PushToken, 'kind' | 'token'>): boolean {
  const found = listTokens(tx, userId).filter(
    (one) => !which || (one.kind === which.kind && one.token === which.token),
  )
  if (!isPhoneServiceOpen(tx)) for (const token of found) deleteToken(tx, token)
  else if (removeTokens(tx, userId, which)) wakeJobs(tx)
  return found.length > 0
}

/**
 * Deletes a device's token.
 *
 * @throws BAD_REQUEST the user has no such token
 */
export function removeToken(tx: Tx, user: User, kind: TokenKind, token: string): void {
  requireLength(token)
  if (!endTokens(tx, user.id, { kind, token })) throw badRequest('Token does not exist')
}

function requireLength(token: string): void {
  if (token === '' || token.length > longestToken) {
    throw badRequest('Empty or invalid length token')
  }
}
