import type { Queues } from '#platform/events/queues.ts'

/** The queues of a store whose events nobody gets. */
export const silentQueues: Pick<Queues, 'place' | 'record' | 'deliver' | 'liveUsers'> = {
  place: () => [],
  record: () => () => {},
  deliver() {},
  liveUsers: () => new Set(),
}
