import { feature } from '#platform/feature.ts'
import { channelFolderQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { channelFolderEventShapes } from './shapes.ts'
import { channelFoldersState } from './state.ts'

export const channelFolders = feature({
  routes: { Channels: [routes] },
  state: [channelFoldersState],
  events: channelFolderEventShapes,
  quotas: [channelFolderQuota],
})
