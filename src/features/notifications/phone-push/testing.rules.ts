import type { User } from '#features/foundation/users/queries.ts'
import { isPhoneServiceOpen } from '#features/messaging/notifications/pushes.queries.ts'
import { ApiError } from '#platform/errors.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { pushNotConfigured } from './actions.ts'
import { listPushDevices, listTokens, type PushToken } from './queries.ts'

/**
 * The phones to send a test notification to, as the push service knows them.
 *
 * @param token one phone's token; undefined: all of the user's phones; there may be none
 * @throws INVALID_PUSH_DEVICE_TOKEN no such phone; PUSH_SERVICE_NOT_CONFIGURED
 * @throws INVALID_REMOTE_PUSH_DEVICE_TOKEN the push service does not know a phone yet
 * @source Zulip API, "Send a test notification to mobile device(s)"
 */
export function accessPhones(read: Read, { id }: User, token: string | undefined): PushToken[] {
  const phones = listTokens(read, id).filter((one) => token === undefined || one.token === token)
  if (phones.length === 0 && token !== undefined) {
    throw new ApiError(
      'INVALID_PUSH_DEVICE_TOKEN',
      sentSentence('Device not recognized'),
      {},
      { parameter: 'token' },
    )
  }
  if (!isPhoneServiceOpen(read) && phones.length > 0) throw pushNotConfigured()
  if (phones.some(({ serviceDueAt }) => serviceDueAt !== null)) throw unknownToService()
  return phones
}

export function unknownToService(): ApiError {
  return new ApiError(
    'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
    sentSentence('Device not recognized by the push bouncer'),
  )
}

/**
 * The reason why an encrypted test notification cannot reach the user's devices.
 *
 * @param pushAccountId one device's account; undefined: any of the user's devices
 * @source Zulip API, "Send an E2EE test notification to mobile device(s)" (feature level 420)
 */
export function phonesProblem(
  read: Read,
  { id }: User,
  pushAccountId: number | undefined,
): ApiError {
  const isActive = listPushDevices(read, id).some(
    (device) =>
      device.serviceDeviceId !== null &&
      device.errorCode === null &&
      (pushAccountId === undefined || device.pushAccountId === pushAccountId),
  )
  if (!isActive)
    return new ApiError('NO_ACTIVE_PUSH_DEVICE', sentSentence('No active registered push device'))
  return new ApiError(
    'ADMIN_ACTION_REQUIRED',
    sentSentence(
      'Push notification configuration issue on server, contact the server administrator or retry later.',
    ),
  )
}
