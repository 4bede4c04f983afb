import { feature } from '#platform/feature.ts'
import * as routes from './routes.ts'

export const sessions = feature({
  routes: { 'Own settings': [routes] },
})
