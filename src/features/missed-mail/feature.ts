import { feature } from '#platform/feature.ts'
import { mailMissedMessages } from './jobs.ts'
import { mountUnsubscribe } from './pages.ts'

export const missedMail = feature({
  jobs: [mailMissedMessages],
  pages: [mountUnsubscribe],
})
