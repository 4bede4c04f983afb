import { accountRate, hour } from '#platform/quotas/quota.ts'
import { sentText } from '#translations/translate.ts'

/** The calls that one account makes or joins through this server: each asks the provider. */
export const callRate = accountRate({
  name: 'calls_per_hour',
  most: 60,
  meaning:
    'Calls that an account starts or joins through the server: rooms in Nextcloud Talk and Constructor Groups, meetings in BigBlueButton and Zoom.',
  tooMany: sentText('Too many calls (limit: {count} an hour)'),
  seconds: hour,
})
