import { feature } from '#platform/feature.ts'
import { removeUnclaimed } from './jobs.ts'
import * as routes from './routes.ts'
import { attachmentEventShapes } from './shapes.ts'

export const attachments = feature({
  routes: { Files: [routes] },
  events: attachmentEventShapes,
  jobs: [removeUnclaimed],
})
