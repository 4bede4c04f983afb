import { feature } from '#platform/feature.ts'
import { sendWeeklyDigests } from './jobs.ts'

export const digest = feature({
  jobs: [sendWeeklyDigests],
})
