import { feature } from '#platform/feature.ts'
import * as routes from './routes.ts'
import { channelsState, defaultChannelGroupsState, defaultChannelsState } from './state.ts'

export const channelAdministration = feature({
  routes: { Channels: [routes] },
  state: [channelsState, defaultChannelGroupsState, defaultChannelsState],
})
