import { feature } from '#platform/feature.ts'
import { pushMessages } from './jobs.ts'

export const push = feature({
  jobs: [pushMessages],
})
