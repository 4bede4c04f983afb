import { feature } from '#platform/feature.ts'
import { channelAddressQuota, channelMailQuotas, mailReplyQuota } from './quotas.ts'

export const mailIn = feature({
  quotas: [...channelMailQuotas, mailReplyQuota, channelAddressQuota],
})
