import { seconds } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { deliver } from './delivery.actions.ts'
import { listDue, nextDelivery, waitForDelivery } from './queries.ts'

export const deliverToWebhooks: Job = {
  name: 'deliver to outgoing webhooks',
  dueAt: nextDelivery,
  run: deliverDue,
}

/** The most bots served at the same time. */
const atOnce = 50

/**
 * Delivers each bot's messages one by one, and those of different bots concurrently, so that a slow
 * service delays no others, including deliveries queued in the meantime.
 */
async function deliverDue(server: Context, stopping: AbortSignal): Promise<void> {
  const { store, clock, log } = server
  const busy = new Map<number, Promise<void>>()
  /** Bots whose delivery threw an unexpected error wait for the next run. */
  const broken = new Set<number>()
  for (;;) {
    const news = waitForDelivery(store)
    for (const delivery of stopping.aborted ? [] : listDue(store, seconds(clock))) {
      const { id, botId } = delivery
      if (busy.has(botId) || broken.has(botId) || busy.size >= atOnce) continue
      const work = deliver(server, delivery, stopping)
        .catch((error: unknown) => {
          log.error({ delivery: id, err: error }, 'delivery to a webhook failed')
          broken.add(botId)
        })
        .finally(() => busy.delete(botId))
      busy.set(botId, work)
    }
    if (busy.size === 0) return
    await Promise.race([news, ...busy.values()])
  }
}
