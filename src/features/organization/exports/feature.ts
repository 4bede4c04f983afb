import { feature } from '#platform/feature.ts'
import * as historyRoutes from './history/history.routes.ts'
import { makeExports } from './jobs.ts'
import { mountExports } from './pages.ts'
import { exportQuota, newExportQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { exportConsentEventShapes } from './shapes.ts'

export const exports = feature({
  routes: { Organization: [routes, historyRoutes] },
  events: exportConsentEventShapes,
  jobs: [makeExports],
  pages: [mountExports],
  quotas: [exportQuota, newExportQuota],
})
