import { feature } from '#platform/feature.ts'
import { userTopicQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { userTopicEventShapes } from './shapes.ts'
import { mutedTopicsState, userTopicsState } from './state.ts'

export const userTopics = feature({
  routes: { Channels: [routes] },
  state: [mutedTopicsState, userTopicsState],
  events: userTopicEventShapes,
  quotas: [userTopicQuota],
})
