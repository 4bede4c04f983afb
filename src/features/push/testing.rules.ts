import type { User } from '#features/users/queries.ts'
import type { Config } from '#platform/config.ts'
import { ApiError } from '#platform/errors.ts'
import type { Read } from '#platform/store/write.ts'
import { pushNotConfigured } from './actions.ts'
import { hasToken, listPushDevices } from './queries.ts'

/**
 * The reason why a test notification cannot reach devices registered by older apps: this server
 * does not pass their tokens on to the push service, which accepts only encrypted registrations.
 *
 * @param token one device's token; undefined: any of the user's devices
 * @source Zulip API, "Send a test notification to mobile device(s)"
 */
export function oldPhonesProblem(
  read: Read,
  { pushServiceUrl }: Pick<Config, 'pushServiceUrl'>,
  { id }: User,
  token: string | undefined,
): ApiError {
  if (!hasToken(read, id, token)) {
    return new ApiError('INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized')
  }
  if (pushServiceUrl === null) return pushNotConfigured()
  return new ApiError(
    'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
    'Device not recognized by the push bouncer',
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
  if (!isActive) return new ApiError('NO_ACTIVE_PUSH_DEVICE', 'No active registered push device')
  return new ApiError(
    'ADMIN_ACTION_REQUIRED',
    'Push notification configuration issue on server, contact the server administrator or retry later.',
  )
}
