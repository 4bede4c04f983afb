import { feature } from '#platform/feature.ts'
import { profileFieldQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { profileFieldEventShapes } from './shapes.ts'
import { profileFieldsState } from './state.ts'
import * as valuesRoutes from './values/routes.ts'

export const profileFields = feature({
  routes: { Users: [valuesRoutes], Organization: [routes] },
  state: [profileFieldsState],
  events: profileFieldEventShapes,
  quotas: [profileFieldQuota],
})
