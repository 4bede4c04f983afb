import { feature } from '#platform/feature.ts'
import { readAlertWords } from './jobs.ts'
import { alertWordQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { alertWordEventShapes } from './shapes.ts'
import { alertWordsState } from './state.ts'

export const alertWords = feature({
  routes: { 'Own settings': [routes] },
  state: [alertWordsState],
  events: alertWordEventShapes,
  quotas: [alertWordQuota],
  jobs: [readAlertWords],
})
