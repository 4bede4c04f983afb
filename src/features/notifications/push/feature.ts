import { feature } from '#platform/feature.ts'
import { pushMessages } from './jobs.ts'

export const pushDelivery = feature({
  jobs: [pushMessages],
})
