import { operatingEventShapes } from '#features/organization/organization-settings/operating.shapes.ts'
import { feature } from '#platform/feature.ts'
import { makeWantedBackup } from './backups.actions.ts'
import { mountServerBackups } from './pages.ts'
import * as routes from './routes.ts'

/** Operating the server from the browser. It belongs to the program, which knows backups. */
export const operating = feature({
  routes: { Organization: [routes] },
  events: operatingEventShapes,
  jobs: [makeWantedBackup],
  pages: [mountServerBackups],
})
