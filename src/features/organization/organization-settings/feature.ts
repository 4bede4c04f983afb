import { feature } from '#platform/feature.ts'
import { deleteRealm } from './deactivation.actions.ts'
import { mountDefaultPictures, mountRealmPictures } from './pages.ts'
import * as picturesRoutes from './pictures/routes.ts'
import * as routes from './routes.ts'
import { realmEventShapes } from './shapes.ts'
import { realmState, versionState } from './state.ts'

export const organizationSettings = feature({
  routes: { Organization: [routes, picturesRoutes] },
  state: [realmState, versionState],
  events: realmEventShapes,
  jobs: [deleteRealm],
  openPages: [mountDefaultPictures],
  pages: [mountRealmPictures],
})
