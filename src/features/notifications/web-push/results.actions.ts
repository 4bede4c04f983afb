import { seconds } from '#platform/clock.ts'
import type { Tx } from '#platform/store/write.ts'
import { deleteSubscription, updateSubscription } from './queries.ts'
import type { Outcome } from './sending.actions.ts'

/** How long to leave a push service alone that gave no time itself, in seconds. */
const usualPause = 30

/** Stores what a push showed about its subscription; one that is gone is deleted. */
export function recordOutcome(tx: Tx, subscriptionId: number, outcome: Outcome): void {
  const now = seconds(tx.clock)
  if (outcome.kind === 'gone') deleteSubscription(tx, subscriptionId)
  else if (outcome.kind === 'sent') {
    updateSubscription(tx, subscriptionId, { succeededAt: now, pausedUntil: null })
  } else if (outcome.kind === 'later') {
    updateSubscription(tx, subscriptionId, { pausedUntil: now + (outcome.after ?? usualPause) })
  }
}
