import type { Config } from '#config.ts'
import { ApiError } from '#errors.ts'
import type { Read } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { pushNotConfigured } from './actions.ts'
import { hasToken, listPushDevices } from './queries.ts'

/**
 * Why no test notification reaches the phones that older apps have registered: the push service is
 * never told of them, as it takes registrations from servers for encrypted notifications alone.
 *
 * @param token of one phone; undefined: any of the user's
 * @source the API description's "Send a test notification to mobile device(s)"
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
 * Why no encrypted test notification reaches the user's phones.
 *
 * @param pushAccountId of one phone; undefined: any of the user's
 * @source https://zulip.com/api/e2ee-test-notify (level 420)
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
