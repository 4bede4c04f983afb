import { feature } from '#platform/feature.ts'
import { sendScheduledMessages } from './jobs.ts'
import { scheduledMessageQuota } from './quotas.ts'
import * as routes from './routes.ts'
import { scheduledMessageEventShapes } from './shapes.ts'
import { scheduledMessagesState } from './state.ts'

export const scheduledMessages = feature({
  routes: { 'Drafts and snippets': [routes] },
  state: [scheduledMessagesState],
  events: scheduledMessageEventShapes,
  jobs: [sendScheduledMessages],
  quotas: [scheduledMessageQuota],
})
