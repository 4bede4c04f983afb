import { seconds } from '#clock.ts'
import type { Config } from '#config.ts'
import { ApiError, badRequest } from '#errors.ts'
import { wakeJobs } from '#jobs/wake.ts'
import type { Tx } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { emitPushDevice } from './events.ts'
import {
  deleteToken,
  findPushDevice,
  listPushDevices,
  listTokens,
  type PushDevice,
  putPushDevice,
  putToken,
  type TokenKind,
} from './queries.ts'

/** What a client says of a phone. Only the push service can read `encryptedRegistration`. */
export type Registration = Pick<
  PushDevice,
  'pushAccountId' | 'tokenKind' | 'publicKey' | 'servicePublicKey' | 'encryptedRegistration'
>

/**
 * Registers a phone for encrypted notifications: the push service is asked afterwards, and the
 * user's clients hear what came of it. The same registration again changes nothing.
 *
 * @throws PUSH_SERVICE_NOT_CONFIGURED; BAD_REQUEST what is no Base64 or no key; too many phones
 * @source contract, "Register an end-to-end-encrypted push device"
 */
export function registerPhone(
  tx: Tx,
  { pushServiceUrl }: Pick<Config, 'pushServiceUrl'>,
  user: User,
  wanted: Registration,
): void {
  if (user.botType !== null) throw badRequest('This endpoint does not accept bot requests.')
  if (pushServiceUrl === null) throw pushNotConfigured()
  requireBase64('push_public_key', wanted.publicKey)
  if (Buffer.from(wanted.publicKey, 'base64').length !== publicKeyBytes) {
    throw badRequest('push_public_key has the wrong length.')
  }
  requireBase64('encrypted_push_registration', wanted.encryptedRegistration)
  const before = findPushDevice(tx, user.id, wanted.pushAccountId)
  if (before && isSame(before, wanted) && before.errorCode === null) return
  if (!before) requireFew(listPushDevices(tx, user.id).length)
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

/** How many phones one user may have registered, of older apps and of newer ones each. */
const mostPhones = 100

/** @throws BAD_REQUEST */
function requireFew(phones: number): void {
  if (phones < mostPhones) return
  throw badRequest('Too many phones are registered: another API key makes the server forget them.')
}

export function pushNotConfigured(): ApiError {
  return new ApiError(
    'PUSH_SERVICE_NOT_CONFIGURED',
    'Server is not configured to use push notification service.',
  )
}

/** Whether two registrations say the same. */
export function isSame(a: Registration, b: Registration): boolean {
  return (
    a.encryptedRegistration === b.encryptedRegistration &&
    a.servicePublicKey === b.servicePublicKey &&
    a.publicKey === b.publicKey &&
    a.tokenKind === b.tokenKind
  )
}

/** Of every public key of NaCl. */
const publicKeyBytes = 32

/** @throws BAD_REQUEST unless it is Base64 of something. @source RFC 4648, §4 */
function requireBase64(name: string, value: string): void {
  const isBase64 =
    value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value) && !/=.*[^=]/.test(value)
  if (!isBase64) throw badRequest(`${name} is not valid Base64.`)
}

/** The longest address of a phone in Apple's or Google's service. */
const longestToken = 4096

/**
 * Keeps a phone's address in Apple's or Google's service, as older apps register it.
 *
 * @param appId Apple's name of the app; null for Google's service
 * @throws BAD_REQUEST an empty or too long token; for Apple's, one that is not hexadecimal, or an
 *   impossible app id; too many phones
 * @source contract, "Add an APNs device token"
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
  const known = listTokens(tx, user.id)
  if (!known.some((one) => one.kind === kind && one.token === token)) requireFew(known.length)
  putToken(tx, user.id, kind, token, appId)
}

/** Forgets a phone's address. @throws BAD_REQUEST one that the user did not register */
export function removeToken(tx: Tx, user: User, kind: TokenKind, token: string): void {
  requireLength(token)
  if (!deleteToken(tx, user.id, kind, token)) throw badRequest('Token does not exist')
}

function requireLength(token: string): void {
  if (token === '' || token.length > longestToken) {
    throw badRequest('Empty or invalid length token')
  }
}
