import { accountHolds, accountRate, hour, organizationRate } from '#platform/quotas/quota.ts'
import { channelMailAddresses } from '#platform/store/schema.ts'
import { sentText } from '#translations/translate.ts'

/** Mails to addresses of channels, in the organization: all three apply. */
export const channelMailQuotas = [
  organizationRate({
    name: 'channel_mails_per_minute',
    most: 50,
    meaning: 'Mails to channel addresses in the organization.',
    seconds: 60,
    always: true,
    tooMany: sentText('Too much mail was sent to channels (limit: {count} in 60 seconds)'),
  }),
  organizationRate({
    name: 'channel_mails_per_five_minutes',
    most: 120,
    meaning: 'Mails to channel addresses in the organization.',
    seconds: 300,
    always: true,
    tooMany: sentText('Too much mail was sent to channels (limit: {count} in 300 seconds)'),
  }),
  organizationRate({
    name: 'channel_mails_per_hour',
    most: 600,
    meaning: 'Mails to channel addresses in the organization.',
    seconds: hour,
    always: true,
    tooMany: sentText('Too much mail was sent to channels (limit: {count} an hour)'),
  }),
] as const

/** Replies that an account sends by mail. */
export const mailReplyQuota = accountRate({
  name: 'mail_replies_per_hour',
  most: 100,
  meaning: 'Replies that an account sends by mail.',
  seconds: hour,
  always: true,
  tooMany: sentText('You have replied by mail too often (limit: {count} an hour)'),
})

/** Channel addresses that an account asked for. */
export const channelAddressQuota = accountHolds(
  {
    name: 'channel_mail_addresses',
    most: 2000,
    meaning: 'Channel addresses that an account asked for.',
    tooMany: sentText('You have too many channel email addresses (limit: {count})'),
  },
  channelMailAddresses.creatorId,
)
