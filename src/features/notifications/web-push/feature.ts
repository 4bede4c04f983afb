import { feature } from '#platform/feature.ts'
import { subscriptionQuota, testQuota } from './quotas.ts'
import * as routes from './routes.ts'

export const webPush = feature({
  routes: { Phones: [routes] },
  quotas: [subscriptionQuota, testQuota],
})
