import { accountHolds } from '#platform/quotas/quota.ts'
import { pushDevices, pushTokens } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'
import { isInUse } from './queries.ts'

/** A new API key makes the server forget all devices. */
const tooMany = sentText(
  'You have registered too many phones. A new API key unregisters all of them (limit: {count})',
)

/** Devices that get encrypted notifications. */
export const pushDeviceQuota = accountHolds(
  {
    name: 'push_devices',
    most: 100,
    meaning: 'Phones of an account, registered for encrypted notifications.',
    tooMany,
  },
  pushDevices.userId,
)

/** Devices that older apps registered. */
export const pushTokenQuota = accountHolds(
  {
    name: 'push_tokens',
    most: 100,
    meaning: 'Phones of an account, registered by their token.',
    tooMany,
  },
  pushTokens.userId,
  isInUse,
)
