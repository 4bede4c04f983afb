import { seconds } from '#clock.ts'
import type { Context } from '#context.ts'
import type { Job } from '#jobs/jobs.ts'
import { somethingNew } from './actions.ts'
import { deliver } from './delivery.ts'
import { listDue, nextDelivery } from './queries.ts'

export const deliverToWebhooks: Job = {
  name: 'deliver to outgoing webhooks',
  dueAt: nextDelivery,
  run: deliverDue,
}

/** How many bots are told at the same time. */
const atOnce = 50

/**
 * Tells each bot of its messages one by one, and different bots at the same time: who answers late
 * holds up nobody else, not even messages that come meanwhile.
 */
async function deliverDue(server: Context, stopping: AbortSignal): Promise<void> {
  const { store, clock, log } = server
  const busy = new Map<number, Promise<void>>()
  /** Those that met a bug of ours wait for the next run. */
  const broken = new Set<number>()
  for (;;) {
    const news = somethingNew(store)
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
