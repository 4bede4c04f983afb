import { feature } from '#platform/feature.ts'
import { navigationViewQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { navigationViewEventShapes } from './shapes.ts'
import { navigationViewsState } from './state.ts'

export const navigationViews = feature({
  routes: { 'Own settings': [routes] },
  state: [navigationViewsState],
  events: navigationViewEventShapes,
  quotas: [navigationViewQuota],
})
