import { messagesErased } from '#features/foundation/core/occasions.ts'
import { feature } from '#platform/feature.ts'
import { on } from '#platform/store/occasions.ts'
import { releaseFiles } from './claims.actions.ts'
import { removeUnclaimed } from './jobs.ts'
import * as routes from './routes.ts'
import { attachmentEventShapes } from './shapes.ts'

export const attachments = feature({
  on: [on(messagesErased, (tx, { ids }) => releaseFiles(tx, ids))],
  routes: { Files: [routes] },
  events: attachmentEventShapes,
  jobs: [removeUnclaimed],
})
