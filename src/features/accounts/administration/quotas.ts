import { accountRate, hour } from '#platform/quotas/quota.ts'
import { users } from '#platform/store/schema.ts'

/** The accounts that an administrator creates for others, who may get a mail about it. */
export const newAccountQuota = accountRate({
  name: 'accounts_per_hour',
  most: 1000,
  seconds: hour,
  tooMany: 'You have created too many accounts',
  with: [users],
})
