import { seconds } from '#platform/clock.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { serveDue } from '#platform/jobs/serve-due.ts'
import { deliver } from './delivery.actions.ts'
import { listDue, nextDelivery } from './queries.ts'

/** The most bots served at the same time. */
const atOnce = 50

export const deliverToWebhooks: Job = {
  name: 'deliver to outgoing webhooks',
  dueAt: nextDelivery,
  run: (server, stopping) =>
    serveDue(server, stopping, {
      name: 'delivery to a webhook',
      atOnce,
      list: (bots) =>
        listDue(server.store, seconds(server.clock)).filter(({ botId }) => !bots.has(`${botId}`)),
      keyOf: ({ botId }) => String(botId),
      serve: (delivery) => deliver(server, delivery, stopping),
    }),
}
