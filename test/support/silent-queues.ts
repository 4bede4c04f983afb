import type { createStore } from '#platform/store/write.ts'

/** The queues of a store whose events nobody gets. */
export const silentQueues: Parameters<typeof createStore>[3] = {
  place: () => [],
  record: () => () => {},
  deliver() {},
  liveUsers: () => new Set(),
  reachedBy: () => new Set(),
  isListening: () => false,
}
