import { feature } from '#platform/feature.ts'
import * as routes from './routes.ts'
import { integrationsState } from './state.ts'

export const incomingWebhooks = feature({
  routes: { Bots: [routes] },
  state: [integrationsState],
})
