import { feature } from '#platform/feature.ts'
import { mailMissedMessages } from './jobs.ts'

export const mailNotifications = feature({
  jobs: [mailMissedMessages],
})
