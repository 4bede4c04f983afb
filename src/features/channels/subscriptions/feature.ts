import { channelRevealed } from '#features/foundation/channels/occasions.ts'
import { feature } from '#platform/feature.ts'
import { on } from '#platform/store/occasions.ts'
import { emitSubscribers } from './actions.ts'
import * as routes from './routes.ts'
import { subscriptionEventShapes } from './shapes.ts'
import { subscriptionsState } from './state.ts'

export const subscriptions = feature({
  on: [
    on(channelRevealed, (tx, { channel, viewerIds }) => emitSubscribers(tx, channel, viewerIds)),
  ],
  routes: { Channels: [routes] },
  state: [subscriptionsState],
  events: subscriptionEventShapes,
})
