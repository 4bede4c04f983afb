import { feature } from '#platform/feature.ts'
import * as routes from './list.routes.ts'
import { webhooks } from './routes.ts'
import { integrationsState } from './state.ts'

export const incomingWebhooks = feature({
  routes: { Bots: [webhooks, routes] },
  state: [integrationsState],
})
