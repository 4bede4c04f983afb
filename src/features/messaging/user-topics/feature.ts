import { channelReturned } from '#features/foundation/channels/occasions.ts'
import { feature } from '#platform/feature.ts'
import { on } from '#platform/store/occasions.ts'
import { emitPolicies } from './actions.ts'
import { userTopicQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { userTopicEventShapes } from './shapes.ts'
import { mutedTopicsState, userTopicsState } from './state.ts'

export const userTopics = feature({
  on: [on(channelReturned, (tx, { channel, isViewer }) => emitPolicies(tx, channel, isViewer))],
  routes: { Channels: [routes] },
  state: [mutedTopicsState, userTopicsState],
  events: userTopicEventShapes,
  quotas: [userTopicQuota],
})
