import type { Job } from '#platform/jobs/jobs.ts'
import { deliverDue } from './delivery.actions.ts'
import { nextDelivery } from './queries.ts'

export const sendScheduledMessages: Job = {
  name: 'send scheduled messages',
  dueAt: nextDelivery,
  run: deliverDue,
}
