import { seconds } from '#platform/clock.ts'
import type { Tx } from '#platform/store/store.ts'
import { deleteSubscription, updateSubscription } from './queries.ts'
import type { PushResult } from './sending.actions.ts'

/** How long to pause for a push service that gave no time itself, in seconds. */
const usualPause = 30

/** Stores the consequences of a push for its subscription, which is deleted if it is gone. */
export function recordPushResult(tx: Tx, subscriptionId: number, result: PushResult): void {
  const now = seconds(tx.clock)
  if (result.kind === 'gone') deleteSubscription(tx, subscriptionId)
  else if (result.kind === 'sent') {
    updateSubscription(tx, subscriptionId, { succeededAt: now, pausedUntil: null })
  } else if (result.kind === 'later') {
    updateSubscription(tx, subscriptionId, { pausedUntil: now + (result.after ?? usualPause) })
  }
}
