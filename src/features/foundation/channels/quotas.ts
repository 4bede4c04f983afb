import { accountRate, hour } from '#platform/quotas/quota.ts'
import { channels } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

/** All clients fetch every channel, and channels are never deleted. Scripts import many. */
export const newChannelQuota = accountRate({
  name: 'channels_per_hour',
  most: 100,
  meaning: 'New channels by an account.',
  seconds: hour,
  forAdministrators: 10,
  tooMany: sentText('You have created too many channels (limit: {count} an hour)'),
  with: [channels],
})
