import { feature } from '#platform/feature.ts'
import { forgetNotifications } from './jobs.ts'

export const notifications = feature({
  jobs: [forgetNotifications],
})
