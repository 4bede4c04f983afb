import { accountRate, hour } from '#platform/quotas/quota.ts'
import { sentText } from '#translations/translate.ts'

/** The pages that the server reads for the messages of one account. */
export const previewRate = accountRate({
  name: 'link_previews_per_hour',
  most: 100,
  meaning: 'Web pages that the server reads for the links of an account.',
  tooMany: sentText('Too many of your links have previews (limit: {count} an hour)'),
  seconds: hour,
})
