import { feature } from '#platform/feature.ts'
import * as deletingRoutes from './deleting/routes.ts'
import * as editHistoryRoutes from './edit-history/routes.ts'
import * as editingRoutes from './editing/routes.ts'
import * as flagsRoutes from './flags/routes.ts'
import * as historyRoutes from './history/routes.ts'
import { fillSearchIndex, notifyMany, updateSearchIndex } from './jobs.ts'
import { pinQuota } from './pins/quotas.ts'
import * as pinsRoutes from './pins/routes.ts'
import { reactionQuota } from './reactions/quotas.ts'
import * as reactionsRoutes from './reactions/routes.ts'
import * as readReceiptsRoutes from './read-receipts/routes.ts'
import * as renderRoutes from './render/routes.ts'
import * as reportingRoutes from './reporting/routes.ts'
import * as routes from './routes.ts'
import { messageEventShapes } from './shapes.ts'
import { conversationsState, newestMessageState, starredState, unreadState } from './state.ts'
import * as submessagesRoutes from './submessages/routes.ts'
import * as typingRoutes from './typing/routes.ts'

export const messages = feature({
  routes: {
    Messages: [
      routes,
      historyRoutes,
      editingRoutes,
      deletingRoutes,
      editHistoryRoutes,
      flagsRoutes,
      reactionsRoutes,
      pinsRoutes,
      readReceiptsRoutes,
      renderRoutes,
      reportingRoutes,
      typingRoutes,
      submessagesRoutes,
    ],
  },
  state: [conversationsState, newestMessageState, starredState, unreadState],
  events: messageEventShapes,
  quotas: [reactionQuota, pinQuota],
  jobs: [notifyMany, fillSearchIndex, updateSearchIndex],
})
