import { feature } from '#platform/feature.ts'
import { mountCalls } from './pages.ts'
import { callRate } from './quotas.ts'
import * as routes from './routes.ts'

export const calls = feature({
  routes: { Messages: [routes] },
  quotas: [callRate],
  pages: [mountCalls],
})
