import { messageSent } from '#features/foundation/core/occasions.ts'
import { feature } from '#platform/feature.ts'
import { on } from '#platform/store/occasions.ts'
import { queueWebhookDeliveries } from './actions.ts'
import { deliverToWebhooks } from './jobs.ts'
import * as routes from './routes.ts'

export const outgoingWebhooks = feature({
  routes: { Bots: [routes] },
  on: [on(messageSent, queueWebhookDeliveries)],
  jobs: [deliverToWebhooks],
})
