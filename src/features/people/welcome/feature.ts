import { feature } from '#platform/feature.ts'
import * as routes from './routes.ts'

export const welcome = feature({
  routes: { Invitations: [routes] },
})
