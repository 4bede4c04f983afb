import { feature } from '#platform/feature.ts'
import { deliverToWebhooks } from './jobs.ts'

export const outgoingWebhooks = feature({
  jobs: [deliverToWebhooks],
})
