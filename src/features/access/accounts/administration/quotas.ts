import { accountRate, hour } from '#platform/quotas/quota.ts'
import { users } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

/** Accounts that an administrator creates for others: each may cause a welcome mail. */
export const newAccountQuota = accountRate({
  name: 'accounts_per_hour',
  most: 1000,
  meaning: 'Accounts that an administrator creates for others.',
  seconds: hour,
  tooMany: sentText('You have created too many accounts (limit: {count} an hour)'),
  with: [users],
})
