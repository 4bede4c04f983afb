import { feature } from '#platform/feature.ts'
import { channelAddressQuota, channelMailQuotas, mailReplyQuota } from './quotas.ts'
import * as routes from './routes.ts'

export const mailGateway = feature({
  routes: { 'Own settings': [routes] },
  quotas: [...channelMailQuotas, mailReplyQuota, channelAddressQuota],
})
