import { feature } from '#platform/feature.ts'
import * as routes from './routes.ts'
import { botsState } from './state.ts'
import { storageKeyQuota, storageQuota } from './storage/quotas.ts'
import * as storageRoutes from './storage/routes.ts'

export const botAdministration = feature({
  routes: { Bots: [routes, storageRoutes] },
  state: [botsState],
  quotas: [storageQuota, storageKeyQuota],
})
