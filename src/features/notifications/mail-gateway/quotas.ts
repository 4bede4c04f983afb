import { accountHolds, accountRate, hour, organizationRate } from '#platform/quotas/quota.ts'
import { channelMailAddresses } from '#platform/store/schema.ts'

const tooMany = 'Too much mail has come to channels'

/** Mails to addresses of channels, in the organization: all three apply. */
export const channelMailQuotas = [
  organizationRate({
    name: 'channel_mails_per_minute',
    most: 50,
    seconds: 60,
    always: true,
    tooMany,
  }),
  organizationRate({
    name: 'channel_mails_per_five_minutes',
    most: 120,
    seconds: 300,
    always: true,
    tooMany,
  }),
  organizationRate({
    name: 'channel_mails_per_hour',
    most: 600,
    seconds: hour,
    always: true,
    tooMany,
  }),
] as const

/** Answers by mail of an account. */
export const mailReplyQuota = accountRate({
  name: 'mail_replies_per_hour',
  most: 100,
  seconds: hour,
  always: true,
  tooMany: 'You have answered by mail too often',
})

/** Addresses of channels that an account asked for. */
export const channelAddressQuota = accountHolds(
  {
    name: 'channel_mail_addresses',
    most: 2000,
    tooMany: 'You have too many email addresses of channels',
  },
  channelMailAddresses.creatorId,
)
