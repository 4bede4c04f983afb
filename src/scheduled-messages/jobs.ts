import type { Job } from '#jobs/jobs.ts'
import { deliverDue } from './delivery.ts'
import { nextDelivery } from './queries.ts'

export const sendScheduledMessages: Job = {
  name: 'send scheduled messages',
  dueAt: nextDelivery,
  run: deliverDue,
}
