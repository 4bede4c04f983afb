import { accountRate, hour } from '#platform/quotas/quota.ts'

/** The pages that the server reads for the messages of one account. */
export const previewRate = accountRate({
  name: 'link_previews_per_hour',
  most: 100,
  meaning: 'Web pages that the server reads for the links of an account.',
  tooMany: 'Too many of your links have previews',
  seconds: hour,
})
