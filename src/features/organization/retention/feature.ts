import { feature } from '#platform/feature.ts'
import { deleteOldMessages } from './jobs.ts'

export const retention = feature({
  jobs: [deleteOldMessages],
})
