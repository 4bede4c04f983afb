import { feature } from '#platform/feature.ts'
import { mailMissedMessages } from './jobs.ts'

export const missedMail = feature({
  jobs: [mailMissedMessages],
})
