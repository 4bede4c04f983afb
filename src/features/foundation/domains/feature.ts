import { feature } from '#platform/feature.ts'
import { domainQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { domainEventShapes } from './shapes.ts'
import { domainsState } from './state.ts'

export const domains = feature({
  routes: { Organization: [routes] },
  state: [domainsState],
  events: domainEventShapes,
  quotas: [domainQuota],
})
