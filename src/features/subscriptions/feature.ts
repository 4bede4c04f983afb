import { feature } from '#platform/feature.ts'
import * as routes from './routes.ts'
import { subscriptionEventShapes } from './shapes.ts'
import { subscriptionsState } from './state.ts'

export const subscriptions = feature({
  routes: { Channels: [routes] },
  state: [subscriptionsState],
  events: subscriptionEventShapes,
})
