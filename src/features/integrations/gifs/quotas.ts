import { accountRate, hour } from '#platform/quotas/quota.ts'
import { sentText } from '#translations/translate.ts'

/** The searches of one account that the provider of GIFs is asked for; known answers cost nothing. */
export const gifRate = accountRate({
  name: 'gif_searches_per_hour',
  most: 300,
  meaning: 'Searches for GIFs by an account that the provider is asked for.',
  tooMany: sentText('Too many searches (limit: {count} an hour)'),
  seconds: hour,
})
